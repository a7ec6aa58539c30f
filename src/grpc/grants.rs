//! The file that says which token and which certificate is whose, and what they may do. Holds hashes, no tokens.
//!
//! A token is 256 random bits, so nobody can search for the one that a hash was made of, however fast the hash:
//! plain SHA-256 is enough, where a password would need a slow one.

use super::role::{Identity, Roles};
use crate::job::Principal;
use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use ring::rand::{SecureRandom, SystemRandom};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// Begins every token, so that scanners for leaked secrets can know one.
const TOKEN_PREFIX: &str = "sudokud_";
/// Begins a line for a token.
const HASH: &str = "sha256:";
/// Begins a line for a client's certificate.
const CERTIFICATE: &str = "certificate:";

type Hash = [u8; SHA256_OUTPUT_LEN];

/// Who the holders of tokens and certificates are.
#[derive(Debug, Default)]
pub struct Grants {
    tokens: HashMap<Hash, Arc<Identity>>,
    certificates: HashMap<String, Arc<Identity>>,
}

impl Grants {
    /// Reads lines of `sha256:HEX PRINCIPAL ROLES` and `certificate:NAME PRINCIPAL ROLES`; empty ones and those
    /// that begin with `#` say nothing.
    ///
    /// # Errors
    /// What is wrong in which line, without its content; and where nothing is granted, which a file being written looks like.
    pub fn parse(text: &str) -> Result<Grants, String> {
        let mut grants = Grants::default();
        for (i, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if !words.first().is_none_or(|word| word.starts_with('#')) {
                grants.add(&words).map_err(|problem| format!("line {}: {problem}", i + 1))?;
            }
        }
        if grants.tokens.is_empty() && grants.certificates.is_empty() {
            return Err("it grants nothing to anyone".into());
        }
        Ok(grants)
    }

    fn add(&mut self, words: &[&str]) -> Result<(), String> {
        let &[credential, principal, roles] = words else {
            return Err(format!(
                "{} words, expected 3: a token's hash or a certificate, principal, roles",
                words.len()
            ));
        };
        if principal.contains(char::is_control) {
            return Err("the principal has control characters".into());
        }
        let principal = Principal::new(principal).map_err(|e| e.to_string())?;
        let identity = Arc::new(Identity { principal, roles: roles.parse()? });
        let fresh = if let Some(hex) = credential.strip_prefix(HASH) {
            let hash = unhex(hex).ok_or("the hash is not of 64 hexadecimal digits")?;
            self.tokens.insert(hash, identity).is_none()
        } else if let Some(name) = credential.strip_prefix(CERTIFICATE).filter(|name| !name.is_empty()) {
            self.certificates.insert(name.to_owned(), identity).is_none()
        } else {
            return Err(format!("begins with neither {HASH} nor {CERTIFICATE}NAME"));
        };
        if fresh { Ok(()) } else { Err("is there twice".into()) }
    }

    /// Who holds the token. The table is searched by a keyed hash of the token's hash, which tells nothing of the tokens that
    /// it holds to who measures the time; what is found there is compared in constant time.
    pub fn of_token(&self, token: &[u8]) -> Option<Arc<Identity>> {
        let hash = hash(token);
        let (known, identity) = self.tokens.get_key_value(&hash)?;
        bool::from(known.ct_eq(&hash)).then(|| Arc::clone(identity))
    }

    /// Whose the certificate of this name is.
    pub fn of_certificate(&self, name: &str) -> Option<Arc<Identity>> {
        self.certificates.get(name).cloned()
    }
}

/// A fresh token, and the line that grants it.
///
/// # Errors
/// When the system gives no randomness.
pub fn draw(principal: &Principal, roles: Roles) -> Result<(String, String), String> {
    let mut secret = [0; 32];
    SystemRandom::new().fill(&mut secret).map_err(|_| "the system gives no randomness")?;
    let token = format!("{TOKEN_PREFIX}{}", hex(&secret));
    let line = format!("{HASH}{} {} {roles}", hex(&hash(token.as_bytes())), principal.as_str());
    Ok((token, line))
}

fn hash(token: &[u8]) -> Hash {
    let mut hash = [0; SHA256_OUTPUT_LEN];
    hash.copy_from_slice(digest(&SHA256, token).as_ref());
    hash
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Hash> {
    let mut hash = [0; SHA256_OUTPUT_LEN];
    if text.len() != 2 * hash.len() || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of "abc": FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn tokens_and_certificates_are_found() {
        let text = format!("# who\n\nsha256:{ABC} ada submit,read\n certificate:spiffe://x/bob  bob  admin \n");
        let grants = Grants::parse(&text).expect("good");
        let ada = grants.of_token(b"abc").expect("known");
        assert_eq!((ada.principal.as_str(), ada.roles.to_string().as_str()), ("ada", "submit,read"));
        assert!(grants.of_token(b"abd").is_none() && grants.of_token(b"").is_none());
        assert_eq!(grants.of_certificate("spiffe://x/bob").expect("known").principal.as_str(), "bob");
        assert!(grants.of_certificate("spiffe://x/ada").is_none());
    }

    #[test]
    fn bad_lines_are_named_and_not_repeated() {
        for (line, words) in [
            (format!("sha256:{ABC} ada"), "2 words, expected 3"),
            (format!("sha256:{ABC}0 ada read"), "64 hexadecimal digits"),
            (format!("sha256:{} ada read", "é".repeat(32)), "64 hexadecimal digits"),
            ("sudokud_secret ada read".to_owned(), "neither sha256: nor certificate:NAME"),
            ("certificate: ada read".to_owned(), "neither sha256: nor certificate:NAME"),
            (format!("sha256:{ABC} ada root"), "\"root\" is none of submit"),
            (format!("sha256:{ABC} {} read", "a".repeat(129)), "1-128 bytes"),
            (format!("sha256:{ABC} a read\nsha256:{ABC} b read"), "is there twice"),
            (format!("sha256:{ABC} a\0b read"), "control characters"),
        ] {
            let problem = Grants::parse(&format!("# a\n{line}")).expect_err(&line);
            assert!(problem.starts_with("line ") && problem.contains(words), "{problem}");
            assert!(!problem.contains("secret"), "{problem}");
        }
    }

    #[test]
    fn a_file_that_grants_nothing_is_none() {
        for text in ["", "# later\n\n"] {
            assert!(Grants::parse(text).is_err_and(|problem| problem.contains("nothing to anyone")), "{text:?}");
        }
    }

    #[test]
    fn drawn_tokens_differ_and_their_line_grants_them() {
        let ada = Principal::new("ada").expect("a principal");
        let (token, line) = draw(&ada, Roles::CERTIFIED).expect("randomness");
        assert_eq!((token.len(), token.starts_with("sudokud_")), (72, true));
        let grants = Grants::parse(&line).expect("a good line");
        assert_eq!(grants.of_token(token.as_bytes()).map(|who| who.principal.clone()), Some(ada.clone()));
        assert!(!line.contains(&token) && draw(&ada, Roles::CERTIFIED).expect("randomness").0 != token);
    }
}
