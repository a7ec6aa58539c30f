//! The names of the written forms.

use std::fmt;
use std::str::FromStr;

/// A written form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// 81 characters, or a lower-case word where there is no grid: line i answers item i.
    #[default]
    Line,
    /// 9 lines of 9 digits with single spaces; one blank line between grids.
    Grid,
    /// SadMan `.sdk`: a `#` header line, then 9 lines of 9; one blank line between grids.
    Sdk,
    /// `index,outcome,grid`, with a header line.
    Csv,
    /// One JSON object a line.
    Json,
}

impl Format {
    /// Every form.
    pub const ALL: [Format; 5] = [Format::Line, Format::Grid, Format::Sdk, Format::Csv, Format::Json];

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Format::Line => "line",
            Format::Grid => "grid",
            Format::Sdk => "sdk",
            Format::Csv => "csv",
            Format::Json => "json",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no written form has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no format: use line, grid, sdk, csv or json")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let refused = "xml".parse::<Format>().expect_err("no format");
        assert_eq!(refused.to_string(), "\"xml\" is no format: use line, grid, sdk, csv or json");
    }
}
