//! Ratings and steps as answers.

use super::proto::v1;
use crate::engine::Explanation;
use crate::sudoku::Cell;
use crate::sudoku::logic::{Digits, Level, RATING_NAME, Rated, Rating, Score, Step, sentence};

/// An explanation.
pub fn explained(Explanation { explained, canonical }: &Explanation) -> v1::ExplainResponse {
    let (rating, at_least) = match explained.rated {
        Rated::Rated(rating) => (Some(rating), false),
        Rated::AtLeast(rating) => (Some(rating), true),
        Rated::Refused(_) => (None, false),
    };
    v1::ExplainResponse {
        rating_name: RATING_NAME.into(),
        rating: rating.map(|found| self::rating(&found)),
        at_least,
        steps: explained.steps.iter().map(step).collect(),
        canonical_form: canonical.map(|form| form.grid.to_string()).unwrap_or_default(),
        automorphism_count: canonical.map_or(0, |form| form.automorphisms),
    }
}

/// A rating with its level.
pub fn rating(Rating { er, ep, ed }: &Rating) -> v1::Rating {
    v1::Rating { er: number(*er), ep: number(*ep), ed: number(*ed), level: level(Level::of(*er)).into() }
}

/// A level.
pub fn level(level: Level) -> v1::Level {
    match level {
        Level::VeryEasy => v1::Level::VeryEasy,
        Level::Easy => v1::Level::Easy,
        Level::Medium => v1::Level::Medium,
        Level::Hard => v1::Level::Hard,
        Level::VeryHard => v1::Level::VeryHard,
        Level::Extreme => v1::Level::Extreme,
    }
}

/// The double nearest to the tenths: it prints as people write it.
pub fn number(score: Score) -> f64 {
    f64::from(score.0) / 10.0
}

fn step(step: &Step) -> v1::ExplainStep {
    let placement = |(cell, digit): (Cell, u8)| v1::Placement { cell: cell.to_string(), digit: digit.into() };
    let elimination = |&(cell, gone): &(Cell, Digits)| v1::Elimination { cell: cell.to_string(), digits: digits(gone) };
    v1::ExplainStep {
        technique: step.technique.name().into(),
        difficulty: number(step.score),
        cells: (step.cells | step.beside).iter().map(|cell| cell.to_string()).collect(),
        digits: digits(step.digits | step.extra),
        placement: step.placement.map(placement),
        eliminations: step.removals.iter().map(elimination).collect(),
        sentence: sentence(step),
    }
}

fn digits(digits: Digits) -> Vec<u32> {
    digits.iter().map(u32::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::logic::{Explained, Technique};
    use crate::sudoku::{CellSet, canonical, text};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn every_tenth_prints_as_it_is_written() {
        for tenths in 0..=u8::MAX {
            assert_eq!(format!("{:.1}", number(Score(tenths))), Score(tenths).to_string());
            let printed = number(Score(tenths)).to_string();
            assert!(printed.len() <= 4, "{printed} has no more than one decimal");
        }
    }

    #[test]
    fn a_step_tells_what_it_changes() {
        let at = |row: usize, col: usize| Cell::at(row - 1, col - 1);
        let mut pair = Step::new(Technique::NakedPair, Score(30));
        pair.cells = [at(1, 1), at(1, 5)].into_iter().fold(CellSet::EMPTY, |mut cells, cell| {
            cells.insert(cell);
            cells
        });
        pair.digits = Digits::of(3) | Digits::of(7);
        pair.houses = vec![0];
        pair.removals = vec![(at(1, 9), Digits::of(7)), (at(1, 2), Digits::of(3) | Digits::of(7))];
        let told = step(&pair);
        assert_eq!((told.difficulty, told.cells, told.digits), (3.0, vec!["r1c1".into(), "r1c5".into()], vec![3, 7]));
        let elimination = |cell: &str, digits: Vec<u32>| v1::Elimination { cell: cell.into(), digits };
        assert_eq!(told.eliminations, [elimination("r1c9", vec![7]), elimination("r1c2", vec![3, 7])]);
        assert!(told.placement.is_none() && !told.sentence.is_empty() && !told.technique.is_empty());

        let mut single = Step::new(Technique::NakedSingle, Score(23));
        single.cells.insert(at(9, 8));
        single.digits = Digits::of(5);
        single.placement = Some((at(9, 8), 5));
        assert_eq!(step(&single).placement, Some(v1::Placement { cell: "r9c8".into(), digit: 5 }));
    }

    #[test]
    fn what_was_cut_short_is_at_least() {
        let rating = Rating { er: Score(72), ep: Score(20), ed: Score(12) };
        let form = canonical(&text::parse(PUZZLE).expect("a puzzle"));
        let answer =
            |rated| explained(&Explanation { explained: Explained { rated, steps: Vec::new() }, canonical: form });
        let whole = answer(Rated::Rated(rating));
        let expected = v1::Rating { er: 7.2, ep: 2.0, ed: 1.2, level: v1::Level::VeryHard.into() };
        assert_eq!((whole.rating_name.as_str(), whole.rating, whole.at_least), ("se-1.2.1", Some(expected), false));
        assert_eq!((whole.canonical_form.len(), whole.automorphism_count), (81, 1));
        let part = answer(Rated::AtLeast(rating));
        assert_eq!((part.rating, part.at_least), (Some(expected), true));
    }
}
