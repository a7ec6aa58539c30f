//! Reads the sources into files with their references to other modules, as tokens: macros and tests included.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A path that a file names, from the crate's root.
#[derive(Clone, Debug)]
pub struct Reference {
    pub path: Vec<String>,
    pub line: usize,
    pub in_test: bool,
}

/// An identifier and where it stands, with the one that `::` or `.` joins before it.
#[derive(Clone, Debug)]
pub struct Word {
    pub text: String,
    pub line: usize,
    pub in_test: bool,
}

#[derive(Debug, Default)]
pub struct File {
    /// As `job/state.rs`.
    pub path: String,
    pub text: String,
    /// Its module path, `["job", "state"]`.
    pub module: Vec<String>,
    pub references: Vec<Reference>,
    pub words: Vec<Word>,
    /// Names it re-exports and the path each stands for; `*` for globs.
    pub exports: Vec<(String, Vec<String>)>,
    /// Names it defines.
    pub defines: BTreeSet<String>,
    /// Whether it is declared behind `#[cfg(test)]`.
    pub is_test: bool,
}

pub struct Tree {
    /// By module path joined with `::`; the crate's root is "".
    pub files: BTreeMap<String, File>,
}

impl Tree {
    pub fn read(root: &str) -> std::io::Result<Tree> {
        let mut sources = Vec::new();
        let mut folders = vec![Path::new(root).to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let name = path.strip_prefix(root).expect("below root").to_string_lossy().replace('\\', "/");
                    sources.push((name, std::fs::read_to_string(&path)?));
                }
            }
        }
        Ok(Tree::of(sources))
    }

    pub fn of(sources: impl IntoIterator<Item = (String, String)>) -> Tree {
        let sources: Vec<(String, String)> = sources.into_iter().collect();
        let modules: BTreeSet<Vec<String>> = sources.iter().map(|(path, _)| module_of(path)).collect();
        let mut files = BTreeMap::new();
        let mut tests = BTreeSet::new();
        for (path, text) in sources {
            let module = module_of(&path);
            let mut reader = Reader { file: File { path, text, module, ..File::default() }, modules: &modules };
            let tokens: TokenStream = reader.file.text.parse().unwrap_or_else(|e| panic!("{}: {e}", reader.file.path));
            let scope = reader.file.module.clone();
            reader.walk(tokens, &scope, false, &mut tests);
            files.insert(reader.file.module.join("::"), reader.file);
        }
        for file in files.values_mut() {
            file.is_test = tests.iter().any(|t: &Vec<String>| file.module.starts_with(t));
        }
        Tree { files }
    }

    /// The file in which the thing that a path names is defined, following re-exports.
    pub fn home(&self, path: &[String]) -> Option<&File> {
        self.home_within(path, 8)
    }

    fn home_within(&self, path: &[String], depth: usize) -> Option<&File> {
        let mut file = self.files.get("")?;
        for (i, segment) in path.iter().enumerate() {
            if let Some(child) = self.files.get(&path[..=i].join("::")) {
                file = child;
                continue;
            }
            if depth == 0 {
                return Some(file);
            }
            let follow = |target: &Vec<String>| {
                let full: Vec<String> = target.iter().chain(&path[i + 1..]).cloned().collect();
                self.home_within(&full, depth - 1)
            };
            if let Some((_, target)) = file.exports.iter().find(|(name, _)| name == segment) {
                return follow(target);
            }
            for (_, target) in file.exports.iter().filter(|(name, _)| name == "*") {
                let home = self.home_within(target, depth - 1)?;
                if home.defines.contains(segment) {
                    return Some(home);
                }
            }
            return Some(file);
        }
        Some(file)
    }
}

fn module_of(path: &str) -> Vec<String> {
    let stem = path.trim_end_matches(".rs");
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_string).collect() }
}

struct Reader<'a> {
    file: File,
    modules: &'a BTreeSet<Vec<String>>,
}

impl Reader<'_> {
    fn walk(&mut self, tokens: TokenStream, scope: &[String], in_test: bool, tests: &mut BTreeSet<Vec<String>>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut i = 0;
        let mut test_next = false;
        while i < tokens.len() {
            match &tokens[i] {
                TokenTree::Group(group) => {
                    let text = group.stream().to_string();
                    let after_hash = i > 0 && matches!(&tokens[i - 1], TokenTree::Punct(p) if p.as_char() == '#');
                    if after_hash && text.starts_with("cfg") && text.contains("test") {
                        test_next = true;
                    }
                    self.walk(group.stream(), scope, in_test, tests);
                }
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    self.file.words.push(Word { text: word.clone(), line: ident.span().start().line, in_test });
                    if word == "mod" && i + 2 < tokens.len() {
                        let name = tokens[i + 1].to_string();
                        let child: Vec<String> = scope.iter().cloned().chain([name]).collect();
                        match &tokens[i + 2] {
                            TokenTree::Group(body) => {
                                self.walk(body.stream(), &child, in_test || test_next, tests);
                                i += 2;
                            }
                            _ if test_next => {
                                tests.insert(child);
                            }
                            _ => {}
                        }
                        test_next = false;
                    } else if DEFINERS.contains(&word.as_str()) && i + 1 < tokens.len() {
                        self.file.defines.insert(tokens[i + 1].to_string());
                        test_next = false;
                    } else if let Some(start) = self.start(&word, &tokens, i, scope) {
                        let exported = exported(&tokens[..i]);
                        i = self.path(start, &tokens, i + 1, in_test, exported);
                        continue;
                    }
                }
                _ => {}
            }
            i += 1;
        }
    }

    /// Where a path that begins with this word starts, from the crate's root.
    fn start(&self, word: &str, tokens: &[TokenTree], i: usize, scope: &[String]) -> Option<Vec<String>> {
        let joined = i >= 1 && matches!(&tokens[i - 1], TokenTree::Punct(p) if p.as_char() == ':');
        let path_follows = is_path_sep(tokens, i + 1);
        match word {
            "crate" | "sudokud" if path_follows && !joined => Some(Vec::new()),
            "self" if path_follows && !joined => Some(scope.to_vec()),
            "super" if path_follows && !joined => Some(scope[..scope.len().saturating_sub(1)].to_vec()),
            _ if path_follows && !joined => {
                let child: Vec<String> = scope.iter().cloned().chain([word.to_string()]).collect();
                self.modules.contains(&child).then_some(child)
            }
            _ => None,
        }
    }

    /// Reads on behind `start` from token `i`, noting every leaf; returns the next token.
    fn path(&mut self, start: Vec<String>, tokens: &[TokenTree], mut i: usize, in_test: bool, exported: bool) -> usize {
        let mut path = start;
        while is_path_sep(tokens, i) {
            i += 2;
            match tokens.get(i) {
                Some(TokenTree::Ident(ident)) if ident == "super" => {
                    path.pop();
                }
                Some(TokenTree::Ident(ident)) => path.push(ident.to_string()),
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for part in inner.split(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ',')) {
                        if let Some(first) = part.first() {
                            let word = first.to_string();
                            let mut start = path.clone();
                            if word != "self" {
                                start.push(word);
                            }
                            self.path(start, part, 1, in_test, exported);
                        }
                    }
                    return i + 1;
                }
                Some(TokenTree::Punct(p)) if p.as_char() == '*' => path.push("*".into()),
                _ => break,
            }
            i += 1;
        }
        let line = tokens.get(i.saturating_sub(1)).map_or(0, |t| t.span().start().line);
        let glob = path.last().is_some_and(|last| last == "*");
        if exported && let Some(last) = path.last().cloned() {
            let target = if glob { path[..path.len() - 1].to_vec() } else { path.clone() };
            let alias = match (tokens.get(i), tokens.get(i + 1)) {
                (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(alias))) if word == "as" => alias.to_string(),
                _ => last,
            };
            self.file.exports.push((alias, target));
        } else {
            if glob {
                path.pop();
            }
            self.file.references.push(Reference { path, line, in_test });
        }
        i
    }
}

const DEFINERS: [&str; 9] = ["struct", "enum", "trait", "fn", "const", "static", "type", "union", "macro_rules"];

fn is_path_sep(tokens: &[TokenTree], i: usize) -> bool {
    let colon = |t: Option<&TokenTree>| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    colon(tokens.get(i)) && colon(tokens.get(i + 1))
}

/// Whether the tokens end with `pub use` or `pub(…) use`.
fn exported(before: &[TokenTree]) -> bool {
    let mut words = before.iter().rev();
    let is_use = matches!(words.next(), Some(TokenTree::Ident(word)) if word == "use");
    is_use
        && match words.next() {
            Some(TokenTree::Ident(word)) => word == "pub",
            Some(TokenTree::Group(_)) => matches!(words.next(), Some(TokenTree::Ident(word)) if word == "pub"),
            _ => false,
        }
}
