//! Where options come from: the file under the environment and flags, and names that no option has. Reads
//! what it is given; the only file it opens is the configuration's.

use super::error::ConfigError;
use super::raw::RawConfig;
use clap::Args;
use std::path::Path;

/// Start of the name of every variable of ours.
const PREFIX: &str = "SUDOKUD_";

/// Variables that are no option of `serve`: its file, and how the client's commands reach a server.
const OTHER_VARIABLES: [&str; 6] = [
    "SUDOKUD_CONFIG",
    "SUDOKUD_SERVER",
    "SUDOKUD_TLS_CA",
    "SUDOKUD_TLS_CLIENT_CERT",
    "SUDOKUD_TLS_CLIENT_KEY",
    "SUDOKUD_TOKEN_FILE",
];

/// One option, as the derived command line describes it.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its name in the file, and with `--` before it its flag.
    pub name: String,
    /// Its environment variable.
    pub variable: String,
    /// What it does, for people.
    pub help: String,
}

/// Every option, in the order of the help.
pub fn keys() -> Vec<Key> {
    let command = RawConfig::augment_args(clap::Command::new("serve"));
    let describe = |arg: &clap::Arg| Key {
        name: arg.get_long().unwrap_or_default().to_owned(),
        variable: arg.get_env().unwrap_or_default().to_string_lossy().into_owned(),
        help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
    };
    command.get_arguments().map(describe).collect()
}

/// Reads a configuration file.
///
/// # Errors
/// When it can't be read, is no TOML, or holds an unknown key or a value of the wrong form.
pub fn read_file(path: &Path) -> Result<RawConfig, ConfigError> {
    let wrong = |problem: String| ConfigError::File { path: path.to_owned(), problem };
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    parse(&text).map_err(wrong)
}

/// Reads the text of a configuration file.
fn parse(text: &str) -> Result<RawConfig, String> {
    let table: toml::Table = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_owned())?;
    let names: Vec<String> = keys().into_iter().map(|key| key.name).collect();
    if let Some(unknown) = table.keys().find(|name| !names.contains(name)) {
        return Err(format!("unknown key `{unknown}`; the nearest known one is `{}`", nearest(unknown, &names)));
    }
    toml::from_str(text).map_err(|e| e.to_string().trim_end().to_owned())
}

/// `upper` where it says something, else `lower`. `data` and `store` name one thing: either replaces both.
pub fn layer(upper: &RawConfig, lower: RawConfig) -> Result<RawConfig, ConfigError> {
    let wrong = |e: String| ConfigError::Invalid { key: "configuration", problem: e };
    let mut merged = toml::Table::try_from(lower).map_err(|e| wrong(e.to_string()))?;
    let upper = toml::Table::try_from(upper).map_err(|e| wrong(e.to_string()))?;
    if upper.contains_key("data") || upper.contains_key("store") {
        merged.remove("data");
        merged.remove("store");
    }
    merged.extend(upper);
    merged.try_into().map_err(|e| wrong(e.to_string()))
}

/// Refuses a variable that begins like ours and is none, except those that Kubernetes puts into every pod
/// for a Service of our name.
///
/// # Errors
/// The first such name.
pub fn check_variables(names: impl Iterator<Item = String>) -> Result<(), ConfigError> {
    let mut known: Vec<String> = keys().into_iter().map(|key| key.variable).collect();
    known.extend(OTHER_VARIABLES.map(str::to_owned));
    for name in names.filter(|name| name.starts_with(PREFIX)) {
        if !known.contains(&name) && !is_service_link(&name) {
            let nearest = nearest(&name, &known).to_owned();
            return Err(ConfigError::UnknownVariable { name, nearest });
        }
    }
    Ok(())
}

/// Whether Kubernetes made it: `X_SERVICE_HOST`, `X_SERVICE_PORT[_NAME]`, `X_PORT[_50051_TCP[_ADDR]]`.
fn is_service_link(name: &str) -> bool {
    let link = |tail: &str| tail.is_empty() || tail.starts_with('_');
    name.ends_with("_SERVICE_HOST")
        || ["_SERVICE_PORT", "_PORT"].iter().any(|mark| name.split_once(mark).is_some_and(|(_, tail)| link(tail)))
}

/// The known name with the fewest edits to this one.
fn nearest<'a>(name: &str, known: &'a [String]) -> &'a str {
    let name = name.replace('_', "-");
    known.iter().min_by_key(|other| distance(&name, &other.replace('_', "-"))).map_or("", String::as_str)
}

/// Edits (insert, delete, exchange a byte) between two texts: Wagner and Fischer's table, a row at a time.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let exchanged = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::super::value::Span;
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_key_has_its_variable_and_help() {
        for key in keys() {
            assert_eq!(key.variable, format!("{PREFIX}{}", key.name.to_uppercase().replace('-', "_")));
            assert!(!key.help.is_empty(), "{}", key.name);
        }
    }

    #[test]
    fn files() {
        let raw = parse("listen = \"[::1]:7\"\nlease-ttl = \"9s\"\nthreads = 3\ninsecure = true\n").expect("valid");
        assert_eq!((raw.threads, raw.insecure), (Some(3), Some(true)));
        assert_eq!(raw.lease_ttl, Some(Span(Duration::from_secs(9))));
        for (text, words) in [
            ("lisen = \"x\"", "unknown key `lisen`; the nearest known one is `listen`"),
            ("lease_ttl = \"9s\"", "nearest known one is `lease-ttl`"),
            ("lease-ttl = \"soon\"", "\"soon\" is not a duration"),
            ("threads = \"many\"", "threads"),
            ("threads = -1", "threads"),
            ("threads", "line 1"),
            ("threads = 1\nthreads = 2", "duplicate"),
        ] {
            let problem = parse(text).expect_err(text);
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }

    #[test]
    fn the_upper_layer_wins_key_by_key() {
        let upper = parse("threads = 3\nstore = \"memory:\"").expect("valid");
        let lower = parse("threads = 4\nlog = \"warn\"\ndata = \"/srv\"").expect("valid");
        let both = layer(&upper, lower).expect("layers");
        assert_eq!((both.threads, both.log.as_deref()), (Some(3), Some("warn")));
        assert_eq!((both.data, both.store.as_deref()), (None, Some("memory:")));
    }

    #[test]
    fn unknown_variables_are_named() {
        let check = |names: &[&str]| check_variables(names.iter().map(|&name| name.to_owned()));
        assert_eq!(check(&["PATH", "SUDOKUD_LISTEN", "SUDOKUD_SERVER", "SUDOKUD_CONFIG"]), Ok(()));
        let links =
            ["SUDOKUD_SERVICE_HOST", "SUDOKUD_SERVICE_PORT_GRPC", "SUDOKUD_PORT", "SUDOKUD_API_PORT_1_TCP_ADDR"];
        assert_eq!(check(&links), Ok(()));
        let wrong = check(&["SUDOKUD_THREAD"]).expect_err("unknown");
        let words = "unknown environment variable SUDOKUD_THREAD; the nearest known one is SUDOKUD_THREADS";
        assert_eq!(wrong.to_string(), words);
        assert!(check(&["SUDOKUD_PORTS"]).is_err());
    }

    #[test]
    fn distances() {
        for (a, b, edits) in [("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0), ("ab", "ba", 2)] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }
}
