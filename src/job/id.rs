//! Names of things: jobs, who submits them, and the request id that makes a submission repeatable.

use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

/// A job: random, one for each incarnation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(Uuid);

impl JobId {
    /// The id with these 16 bytes (the caller brings the randomness).
    pub fn from_bytes(bytes: [u8; 16]) -> JobId {
        JobId(Uuid::from_bytes(bytes))
    }

    /// Its 16 bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl FromStr for JobId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<JobId, InvalidId> {
        Uuid::try_parse(text)
            .map(JobId)
            .map_err(|_| InvalidId("a job id is a UUID, like 0f8fad5b-d9cb-469f-a165-70867728950e"))
    }
}

/// Why a text is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidId(&'static str);

/// Who submits: 1-128 bytes. Jobs and request ids belong to one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal(String);

impl Principal {
    /// The principal where there is no authentication.
    pub fn anonymous() -> Principal {
        Principal("anonymous".into())
    }

    /// A named principal.
    ///
    /// # Errors
    /// When it is not of 1-128 bytes.
    pub fn new(name: impl Into<String>) -> Result<Principal, InvalidId> {
        let name = name.into();
        if (1..=128).contains(&name.len()) {
            Ok(Principal(name))
        } else {
            Err(InvalidId("a principal has 1-128 bytes"))
        }
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The client's own id of a submission, unique within its principal: 1-128 bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(String);

impl RequestId {
    /// A request id.
    ///
    /// # Errors
    /// When it is not of 1-128 bytes.
    pub fn new(text: impl Into<String>) -> Result<RequestId, InvalidId> {
        let text = text.into();
        if (1..=128).contains(&text.len()) {
            Ok(RequestId(text))
        } else {
            Err(InvalidId("a request id has 1-128 bytes"))
        }
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        let id: JobId = "0f8fad5b-d9cb-469f-a165-70867728950e".parse().expect("uuid");
        assert_eq!(id.to_string(), "0f8fad5b-d9cb-469f-a165-70867728950e");
        assert_eq!(JobId::from_bytes(*id.as_bytes()), id);
        assert!("0f8f".parse::<JobId>().is_err());
        assert!(RequestId::new("").is_err() && RequestId::new("x".repeat(129)).is_err());
        assert!(RequestId::new("x".repeat(128)).is_ok() && Principal::new("").is_err());
    }
}
