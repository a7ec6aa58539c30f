//! The durable form of a spec: JSON with a version, so that a person can read it in the store's file.
//!
//! Unknown fields are refused, never dropped: a job must not run with half of its spec.

use super::CodecError;
use crate::job::BatchSpec;
use serde::{Deserialize, Serialize};

/// The form written now. Raise it with any change that an older program would misread.
const VERSION: u8 = 1;

#[derive(Serialize)]
struct Written<'a> {
    version: u8,
    spec: &'a BatchSpec,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    #[serde(rename = "version")]
    _version: u8,
    spec: BatchSpec,
}

/// The version alone, whatever else there is.
#[derive(Deserialize)]
struct Version {
    version: u8,
}

/// Writes a spec. Equal specs give equal bytes.
pub fn encode_spec(spec: &BatchSpec) -> Vec<u8> {
    serde_json::to_vec(&Written { version: VERSION, spec }).expect("a spec is made of strings and numbers")
}

/// Reads a spec that [`encode_spec`] wrote.
///
/// # Errors
/// [`CodecError::Version`] for a newer form, [`CodecError::Malformed`] for anything else that is no spec.
pub fn decode_spec(bytes: &[u8]) -> Result<BatchSpec, CodecError> {
    let Version { version } =
        serde_json::from_slice(bytes).map_err(|_| CodecError::Malformed("a spec is JSON with a version"))?;
    match version {
        0 => Err(CodecError::Malformed("there is no version 0 of a spec")),
        VERSION => serde_json::from_slice::<Read>(bytes)
            .map(|read| read.spec)
            .map_err(|_| CodecError::Malformed("not the fields of a spec")),
        newer => Err(CodecError::Version(newer)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{GenerateSpec, GenerateWork, Priority, RateWork, ResultFormat, ResultMode, SolveWork, Work};
    use crate::sudoku::generate::puzzle::{Blanks, ErRange, PuzzleSpec, Symmetry};
    use crate::sudoku::generate::{CompleteSpec, Family};
    use crate::sudoku::logic::{Level, Score};

    fn solve() -> BatchSpec {
        BatchSpec {
            work: Work::Solve(SolveWork { max_solutions: 2, node_limit: None }),
            result_mode: ResultMode::Stream,
            result_format: ResultFormat::Block,
            priority: Priority::Normal,
            time_to_live_s: Some(86_400),
            labels: [("team".to_owned(), "\"é\"".to_owned())].into(),
        }
    }

    fn generate() -> BatchSpec {
        BatchSpec {
            work: Work::Generate(GenerateWork {
                spec: GenerateSpec::Grids(CompleteSpec { first_cell: 9, family: Family::Shift }),
                count: 4_000_000_000,
                seed: Some(u64::MAX),
                generator_version: Some(1),
            }),
            result_mode: ResultMode::Detached,
            result_format: ResultFormat::Items,
            priority: Priority::High,
            time_to_live_s: None,
            labels: [].into(),
        }
    }

    fn puzzles(puzzles: PuzzleSpec) -> BatchSpec {
        let spec = GenerateSpec::Puzzles { puzzles };
        let work = GenerateWork { spec, count: 7, seed: Some(1), generator_version: Some(1) };
        BatchSpec { work: Work::Generate(work), ..generate() }
    }

    /// Every wish, though they contradict each other.
    fn all_wishes() -> PuzzleSpec {
        PuzzleSpec {
            level: Some(Level::VeryEasy),
            er: Some(ErRange { min: Score(0), max: Score(12) }),
            min_clues: Some(20),
            max_clues: Some(30),
            symmetry: Symmetry::Rotational180,
            minimal: true,
            blanks_per_row: Some(Blanks { min: 3, max: 8 }),
            allow_multiple: true,
        }
    }

    fn rate() -> BatchSpec {
        BatchSpec { work: Work::Rate(RateWork { node_limit: Some(10_000_000) }), ..generate() }
    }

    /// What version 1 looks like for good: bytes like these are on disks.
    #[test]
    fn golden() {
        let golden = [
            (
                solve(),
                r#"{"version":1,"spec":{"work":{"solve":{"max_solutions":2,"node_limit":null}},"result_mode":"stream","result_format":"block","priority":"normal","time_to_live_s":86400,"labels":{"team":"\"é\""}}}"#,
            ),
            (
                generate(),
                r#"{"version":1,"spec":{"work":{"generate":{"spec":{"first_cell":9,"family":"shift"},"count":4000000000,"seed":18446744073709551615,"generator_version":1}},"result_mode":"detached","result_format":"items","priority":"high","time_to_live_s":null,"labels":{}}}"#,
            ),
            (
                puzzles(PuzzleSpec::default()),
                r#"{"version":1,"spec":{"work":{"generate":{"spec":{"puzzles":{"level":null,"er":null,"min_clues":null,"max_clues":null,"symmetry":"none","minimal":false,"blanks_per_row":null,"allow_multiple":false}},"count":7,"seed":1,"generator_version":1}},"result_mode":"detached","result_format":"items","priority":"high","time_to_live_s":null,"labels":{}}}"#,
            ),
            (
                puzzles(all_wishes()),
                r#"{"version":1,"spec":{"work":{"generate":{"spec":{"puzzles":{"level":"very_easy","er":{"min":0,"max":12},"min_clues":20,"max_clues":30,"symmetry":"rotational180","minimal":true,"blanks_per_row":{"min":3,"max":8},"allow_multiple":true}},"count":7,"seed":1,"generator_version":1}},"result_mode":"detached","result_format":"items","priority":"high","time_to_live_s":null,"labels":{}}}"#,
            ),
            (
                rate(),
                r#"{"version":1,"spec":{"work":{"rate":{"node_limit":10000000}},"result_mode":"detached","result_format":"items","priority":"high","time_to_live_s":null,"labels":{}}}"#,
            ),
        ];
        for (spec, text) in golden {
            assert_eq!(String::from_utf8(encode_spec(&spec)).expect("JSON is UTF-8"), text);
            assert_eq!(decode_spec(text.as_bytes()), Ok(spec));
        }
    }

    #[test]
    fn every_choice_comes_back() {
        for family in [Family::Orbit, Family::Shift, Family::Search] {
            for priority in [Priority::Low, Priority::Normal, Priority::High] {
                let Work::Generate(work) = generate().work else { unreachable!() };
                let work = Work::Generate(GenerateWork {
                    spec: GenerateSpec::Grids(CompleteSpec { first_cell: 0, family }),
                    ..work
                });
                let spec = BatchSpec { work, priority, ..generate() };
                assert_eq!(decode_spec(&encode_spec(&spec)), Ok(spec));
            }
        }
    }

    #[test]
    fn what_is_no_spec() {
        let written = |spec| String::from_utf8(encode_spec(&spec)).expect("JSON is UTF-8");
        let (text, made) = (written(solve()), written(puzzles(all_wishes())));
        let cases = [
            (String::new(), CodecError::Malformed("a spec is JSON with a version")),
            ("{}".into(), CodecError::Malformed("a spec is JSON with a version")),
            (text[..text.len() - 1].to_owned(), CodecError::Malformed("a spec is JSON with a version")),
            (text.replace("\"version\":1", "\"version\":0"), CodecError::Malformed("there is no version 0 of a spec")),
            (text.replace("\"version\":1", "\"version\":2"), CodecError::Version(2)),
            (text.replace("\"labels\"", "\"tables\""), CodecError::Malformed("not the fields of a spec")),
            (text.replace("\"spec\":", "\"also\":0,\"spec\":"), CodecError::Malformed("not the fields of a spec")),
            (text.replace("\"normal\"", "\"urgent\""), CodecError::Malformed("not the fields of a spec")),
            (made.replace("\"minimal\"", "\"maximal\""), CodecError::Malformed("not the fields of a spec")),
            (made.replace("\"puzzles\"", "\"riddles\""), CodecError::Malformed("not the fields of a spec")),
            (made.replace("\"puzzles\"", "\"also\":0,\"puzzles\""), CodecError::Malformed("not the fields of a spec")),
        ];
        for (text, want) in cases {
            assert_eq!(decode_spec(text.as_bytes()), Err(want), "{text}");
        }
    }
}
