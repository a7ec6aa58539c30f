//! Values as an operator writes them: durations like `1h 30m`, sizes like `8MiB`. Knows no option by name.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A duration in humantime form, such as `20ms`, `30s` or `1day 12h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let wrong = |why| format!("{text:?} is not a duration ({why}): write 20ms, 30s, 5m, 24h or 30days");
        humantime::parse_duration(text).map(Span).map_err(wrong)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

/// A number of bytes, such as `4096`, `512KiB`, `8MiB` or `1GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Size(pub u64);

const UNITS: [(&str, u32); 4] = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let trimmed = text.trim();
        let unit = UNITS.iter().find_map(|&(name, shift)| trimmed.strip_suffix(name).map(|number| (number, shift)));
        let (number, shift) = unit.unwrap_or((trimmed, 0));
        let number = number.trim_end().parse::<u64>().ok();
        let bytes = number.and_then(|n| n.checked_mul(1 << shift));
        bytes.map(Size).ok_or_else(|| format!("{text:?} is not a size: write 4096, 512KiB, 8MiB or 1GiB"))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |&&(_, shift): &&(&str, u32)| self.0 != 0 && self.0.is_multiple_of(1 << shift);
        let (name, shift) = UNITS.iter().find(fits).copied().unwrap_or(("B", 0));
        write!(f, "{}{name}", self.0 >> shift)
    }
}

/// In a file: a string, as on the command line.
macro_rules! as_text {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$kind, D::Error> {
                String::deserialize(from)?.parse().map_err(de::Error::custom)
            }
        }
    )*};
}
as_text!(Span, Size);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let good = [("4096", 4096, "4KiB"), ("8MiB", 8 << 20, "8MiB"), ("1 GiB", 1 << 30, "1GiB"), ("7B", 7, "7B")];
        for (text, bytes, shown) in good {
            let size: Size = text.parse().expect(text);
            assert_eq!((size, size.to_string().as_str()), (Size(bytes), shown));
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        for bad in ["", "MiB", "-1", "1.5MiB", "8MB", "99999999999GiB"] {
            assert!(bad.parse::<Size>().is_err_and(|e| e.contains("8MiB")), "{bad}");
        }
        assert_eq!(Size(0).to_string(), "0B");
    }

    #[test]
    fn spans() {
        for (text, millis) in [("20ms", 20), ("1h 30m", 5_400_000), ("30days", 2_592_000_000)] {
            let span: Span = text.parse().expect(text);
            assert_eq!(span, Span(Duration::from_millis(millis)));
            assert_eq!(span.to_string().parse(), Ok(span));
        }
        assert!("10".parse::<Span>().is_err() && "soon".parse::<Span>().is_err_and(|e| e.contains("\"soon\"")));
    }
}
