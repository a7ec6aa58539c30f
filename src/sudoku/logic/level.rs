//! [`Level`]: how hard a puzzle is, in words for people. Must never know of puzzles.

use super::score::Score;
use std::fmt;
use std::str::FromStr;

/// How hard a puzzle is for a person, by its ER.
///
/// The boundaries are those that agree best with HoDoKu 2.2's five levels and QQWing's four labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Up to 1.2: looking at boxes is enough.
    VeryEasy,
    /// Up to 2.3: singles, at times after a glance at what locks a digit.
    Easy,
    /// Up to 3.6: locked candidates, pairs, X-Wings, naked triplets.
    Medium,
    /// Up to 6.7: fish, wings, uniqueness, short chains.
    Hard,
    /// Up to 7.2: forcing chains.
    VeryHard,
    /// From 7.3 on: long, multiple, dynamic and nested chains.
    Extreme,
}

impl Level {
    /// All, the easiest first.
    pub const ALL: [Level; 6] =
        [Level::VeryEasy, Level::Easy, Level::Medium, Level::Hard, Level::VeryHard, Level::Extreme];

    /// The level of a puzzle with this ER.
    pub fn of(er: Score) -> Level {
        Level::ALL.into_iter().find(|level| er <= level.range().1).unwrap_or(Level::Extreme)
    }

    /// The lowest and the highest ER of this level. The ranges follow each other without a gap.
    pub fn range(self) -> (Score, Score) {
        let (low, high) = match self {
            Level::VeryEasy => (0, 12),
            Level::Easy => (13, 23),
            Level::Medium => (24, 36),
            Level::Hard => (37, 67),
            Level::VeryHard => (68, 72),
            Level::Extreme => (73, u8::MAX),
        };
        (Score(low), Score(high))
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Level::VeryEasy => "very-easy",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::VeryHard => "very-hard",
            Level::Extreme => "extreme",
        }
    }
}

impl fmt::Display for Level {
    /// As `very-easy`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    /// The level of this name, as it is displayed.
    fn from_str(text: &str) -> Result<Level, String> {
        Level::ALL.into_iter().find(|level| level.name() == text).ok_or_else(|| {
            let names = Level::ALL.map(Level::name).join(", ");
            format!("there is no level {text:?}, only {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_scores() {
        let expected = [
            (10, "very-easy"),
            (12, "very-easy"),
            (15, "easy"),
            (23, "easy"),
            (25, "medium"),
            (36, "medium"),
            (38, "hard"),
            (67, "hard"),
            (68, "very-hard"),
            (72, "very-hard"),
            (73, "extreme"),
            (119, "extreme"),
        ];
        for (er, level) in expected {
            assert_eq!(Level::of(Score(er)).to_string(), level, "{er}");
        }
    }

    #[test]
    fn ranges_follow_each_other() {
        let mut next = 0u16;
        for level in Level::ALL {
            let (low, high) = level.range();
            assert_eq!(u16::from(low.0), next, "{level}");
            assert_eq!((Level::of(low), Level::of(high)), (level, level));
            next = u16::from(high.0) + 1;
        }
        assert_eq!(next, 256);
    }

    #[test]
    fn names_come_back() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let error = "fiendish".parse::<Level>().expect_err("there is none");
        assert!(error.starts_with("there is no level \"fiendish\", only very-easy, easy"), "{error}");
    }
}
