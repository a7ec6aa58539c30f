//! Ratings: known ones, what is refused, limits, and what must not change them.

use super::support::{grid, isomorph, puzzles};
use crate::sudoku::logic::{Effort, Rated, Rating, Score, explain, rate, solvable_within};
use crate::sudoku::random::{Purpose, Random};
use crate::sudoku::{Grid, Kernel, Outcome, Pace};

/// Puzzles with the ER, EP and ED that Sudoku Explainer 1.2.1 gives them, in tenths.
const KNOWN: [(&str, [u8; 3]); 46] = [
    ("6....4123.7.2...565....1497..1.7.5..3.5.42.1884.5.6.....6.9.3..2.3.67.8178.1.3...", [12, 10, 10]),
    ("..8.79513..365.2..7.....9.4......7.94.9...1..3..92...6.5.3168..8.1.4.6.5...59.3..", [15, 10, 10]),
    ("14.56..9.8.64.9.1...9183246..86419.269....13441.93.6..9.1.54.67....164.9.64.9...1", [17, 17, 17]),
    ("...13.7..........1.8..29.5.9162483753.8..7...527913846.......6..64...9..1.58....7", [20, 10, 10]),
    ("....9.5...8.....766...2..318...1.75.4......83...3..19.3541..8697...8.325.2.5..417", [23, 10, 10]),
    ("7...83..1615429..38.3.71....37...29..6....31...83...56.721.5....81......356...1.2", [25, 25, 25]),
    ("7...2...95.3....722947.8...9..1.6..46......5.....72693.268.7915.75.19.....9265347", [26, 26, 26]),
    ("....9...52...468.34...7......84..327.423.7..8.7328.6.4..49517827.962..31.2173....", [28, 28, 26]),
    ("5.8.4..3.4.9..67.8.2.8.....1.4.6.287..2.8..9.98.27154.3415..8....5...3....7.....5", [30, 30, 26]),
    ("..5.6.3.......561...9...5.8...7..256..3.2..94...59..83..6349872..2657431347218965", [32, 32, 26]),
    ("13..5.694....4..38......75..8..3.96.3.9..4875..7589.43...4..527.5..7.416...125389", [34, 34, 26]),
    (".6..2317.........32.3..65.892.46.357..5..9.16....5....7......3..32...7.1.49137...", [36, 36, 26]),
    ("...589671751624..8869317..5..2896...68.153...19.742.8691.26...4...4...6...69..8..", [38, 38, 38]),
    ("..3985.2....413..68..726.....4.71..33...52.41...39457..31549...4..237.1.9.2168...", [40, 40, 26]),
    ("..6.4.859..5.962414....8367657931482124875693..3624715.6..8.534348....7657.463.28", [42, 42, 26]),
    ("..68.4..74...7...87183.9.4286.5.732123...8475.....3869..24...8.68..3.2.494..82.1.", [44, 44, 26]),
    ("...4...7...7.3..6..2.5....3.1....685.78...1..6.....937.69.15...7..6.2.5..85..3..6", [45, 45, 26]),
    ("2.7491.63.61..349.493.6521.732618954948532671.1.974382.29147.3.1.43.672937...914.", [46, 46, 45]),
    ("8.6...9.2751...8.42.9...5.1975...4.36834.71.5124..37.6.187362.93971..6.8.628..317", [47, 47, 47]),
    (".3.9..4.8..43..2...1984...79...71.....3.96....61283....9.6241..145739826.2.158...", [50, 50, 44]),
    ("6.45.3..8.8.96.5.335918...2.6.398.5.9.5.1638.831.5....5.8.39.7...3..58..7968.1.35", [52, 52, 26]),
    ("............12..7....697..3..53692..419852..7326..15891.3....9.....1...5..79..4..", [54, 54, 28]),
    ("6.72439.8.846917.339...76.4748912536..943687..36.7..4987.3.946.9.3764.8546.1..397", [56, 46, 26]),
    ("5327...4.6482...5.9174...3.793.1..8.185.2..9.426879513251946378379182465864..7129", [57, 57, 57]),
    ("1........3..8.1...8..4923.1..8.5.2.......3....5.1..9..91.68...24..9....5.......6.", [62, 12, 12]),
    ("......9....8..2.16.2.9.8...6.5.........5...8.....47...47.21..5...2.8....5.9..4...", [65, 12, 12]),
    ("71..3.4.24.31.26....6..4.3113.4.5.....4.2..155...19.4.391267584.478531.98..941.7.", [66, 66, 28]),
    ("16..7.9..89..657.17..91..469.1..6.7.4.67.9312..7...6..37..9..686482.71...196....7", [67, 67, 26]),
    ("3..67.2.5524.8..7.6172..9.81........46.1.8.2.9..4..15.24..16...73184...28.6.23...", [68, 68, 26]),
    ("3.7581..95..947...8...6.17597..16...6.3.59..4..5...69..5869..2....1759.87....8...", [69, 46, 26]),
    ("1.6......7.2..89318.3.1..7.3.91.....5.1.79.434.8.....9634..12879873.2...215...39.", [70, 70, 26]),
    ("528......46....58.1.75..6......5....3.689.7.5752361948.7..4..59..527.3.....9.5...", [71, 71, 26]),
    ("645.2.389....4.217271839645..7.....84...8...1.......34.92.6.853854392176.63..8492", [72, 72, 26]),
    ("......439....432673...7.185.3..958..9.5.2837.2.831.954.93......186254793..2.39...", [73, 72, 26]),
    (".8....14...2..68.....5...628..3....613.....7..69..8.....86.19..4..9.2..1....4....", [75, 12, 12]),
    (".1...53...4...7..1...1.2..7296713458.3..5.6....5..6.........2.5.2..6..9...3...1..", [76, 76, 72]),
    ("7.4981.36.9.4.31...3....49.9....431..6..379.434..9..6..83..96.1.79516..361.348..9", [77, 77, 26]),
    ("736415829.952.6......9..56..1.6.7.8..6..4..7.3.75..1.6.5.36.712...75.6..67...4.5.", [78, 78, 26]),
    ("..579....93...5..7.74..19.55.2....9.4......5279.5.284..5942317.327.1.5.414..57239", [79, 79, 26]),
    ("2..4.5....7...24.5.547..9.2..8157.2.5126.......7.285.1..523...746.87.2537235.6...", [82, 82, 26]),
    ("792..463...12637..6.3.....4....3..7.8..425..6..67.9.42.6.1..4.3....4..5....35.967", [83, 83, 26]),
    ("7.....92.2.6.....89..2....78.9..72...23......5.7.42..3..56....2..2..958.1.8.254..", [84, 84, 26]),
    (".8.5.6.19.........4...2.8...1.7.96...7..32...94..5...25..26...7.27..5....64...52.", [85, 72, 26]),
    ("...3..........54.6.3..48.5....273..4....648..2.65.......2....9...8...7.2.7.8...4.", [86, 12, 12]),
    (".69...4588.46..........42.6......8.5...4.1329..2.3.6.7.7...8.6.9...267846.87.....", [88, 88, 26]),
    (".6.8...4...94..6.8.48.36..24.2..18...1.3482.5.8.2..4....46.37...7..24.86...5.7.24", [90, 90, 26]),
];

fn effort() -> Effort {
    Effort::unlimited(Kernel::default())
}

fn rated(puzzle: &Grid) -> Rated {
    rate(puzzle, effort(), &mut || Pace::Continue)
}

fn told(rated: Rated) -> Option<[u8; 3]> {
    match rated {
        Rated::Rated(Rating { er, ep, ed }) => Some([er, ep, ed].map(|score| score.0)),
        Rated::AtLeast(_) | Rated::Refused(_) => None,
    }
}

#[test]
fn known_ratings() {
    for (puzzle, expected) in KNOWN {
        assert_eq!(told(rated(&grid(puzzle))), Some(expected), "{puzzle}");
    }
}

#[test]
fn isomorphs_are_rated_alike() {
    let mut random = Random::new(3, Purpose::Fill, 0);
    for (puzzle, expected) in KNOWN.into_iter().filter(|(_, [er, ..])| *er < 76) {
        let image = isomorph(&grid(puzzle), &mut random);
        assert_eq!(told(rated(&image)), Some(expected), "{image}");
    }
}

#[test]
fn explaining_comes_to_the_same() {
    for (puzzle, expected) in KNOWN.into_iter().filter(|(_, [er, ..])| *er < 80) {
        let explained = explain(&grid(puzzle), effort(), u32::MAX, &mut || Pace::Continue);
        assert_eq!(told(explained.rated), Some(expected), "{puzzle}");
        let placed = explained.steps.iter().filter(|step| step.placement.is_some()).count();
        assert_eq!(placed, 81 - grid(puzzle).clue_count(), "{puzzle}");
    }
}

#[test]
fn only_one_solution_is_rated() {
    let unsolvable = grid(&format!("12345678.........9{}", ".".repeat(63)));
    assert_eq!(rated(&unsolvable), Rated::Refused(Outcome::Unsolvable));
    assert_eq!(rated(&grid(&format!("55{}", ".".repeat(79)))), Rated::Refused(Outcome::Unsolvable));
    assert_eq!(rated(&Grid::EMPTY), Rated::Refused(Outcome::Multiple));
    let explained = explain(&Grid::EMPTY, effort(), 1, &mut || Pace::Continue);
    assert_eq!((explained.rated, explained.steps), (Rated::Refused(Outcome::Multiple), Vec::new()));
    let no_search = Effort { node_limit: 0, ..effort() };
    assert_eq!(rate(&Grid::EMPTY, no_search, &mut || Pace::Continue), Rated::Refused(Outcome::Undecided));
}

#[test]
fn a_full_grid_is_no_work() {
    let (_, solution) = puzzles(1).next().expect("one");
    assert_eq!(rated(&solution), Rated::Rated(Rating::default()));
    let mut clash = solution;
    clash.set(crate::sudoku::Cell::at(0, 0), solution.get(crate::sudoku::Cell::at(0, 1)));
    assert_eq!(rated(&clash), Rated::Refused(Outcome::Unsolvable));
}

#[test]
fn limits_give_bounds() {
    let (puzzle, [er, ep, ed]) = KNOWN[KNOWN.len() - 1];
    let (puzzle, [er, ep, ed]) = (grid(puzzle), [er, ep, ed].map(Score));
    let bound = |effort| match rate(&puzzle, effort, &mut || Pace::Continue) {
        Rated::AtLeast(rating) => rating,
        other => panic!("{other:?}"),
    };
    let none = bound(Effort { hard_steps: 0, ..effort() });
    assert!(none.er < er && none.ed == ed, "{none:?}");
    let some = bound(Effort { hard_steps: 2, ..effort() });
    assert!(none.er <= some.er && some.er <= er && some.ep <= ep);
    let beyond = bound(Effort { er_limit: Score(72), ..effort() });
    assert!(Score(72) < beyond.er && beyond.er <= er);
    let enough = rate(&puzzle, Effort { er_limit: er, ..effort() }, &mut || Pace::Continue);
    assert_eq!(enough, Rated::Rated(Rating { er, ep, ed }));
    let easy = grid(KNOWN[1].0);
    let limited = rate(&easy, Effort { er_limit: Score(12), ..effort() }, &mut || Pace::Continue);
    assert!(matches!(limited, Rated::AtLeast(Rating { er: Score(15), .. })), "{limited:?}");
}

#[test]
fn the_pace_ends_it_anywhere() {
    let (puzzle, [er, ..]) = KNOWN[KNOWN.len() - 1];
    let puzzle = grid(puzzle);
    for asked in [1, 3, 10, 30, 60] {
        let mut left = asked;
        let mut pace = || {
            left -= 1;
            if left <= 0 { Pace::Stop } else { Pace::Continue }
        };
        match rate(&puzzle, effort(), &mut pace) {
            Rated::AtLeast(rating) => assert!(rating.er.0 <= er, "{rating:?}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_pace_ends_the_proof() {
    // No solution, and far to go (Norvig, "Solving Every Sudoku Puzzle").
    let puzzle = grid(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........");
    let effort = Effort::unlimited(Kernel::Portable);
    assert_eq!(rate(&puzzle, effort, &mut || Pace::Stop), Rated::Refused(Outcome::Undecided));
    assert_eq!(rate(&puzzle, effort, &mut || Pace::Continue), Rated::Refused(Outcome::Unsolvable));
}

#[test]
fn a_hint_is_the_first_step() {
    let (puzzle, _) = KNOWN[6];
    let whole = explain(&grid(puzzle), effort(), u32::MAX, &mut || Pace::Continue);
    let hint = explain(&grid(puzzle), effort(), 1, &mut || Pace::Continue);
    assert_eq!(hint.steps, whole.steps[..1]);
    let score = hint.steps[0].score;
    assert_eq!(hint.rated, Rated::AtLeast(Rating { er: score, ep: score, ed: score }));
}

/// What is found in bulk against what is found step by step.
#[test]
fn bulk_and_steps_agree() {
    for (puzzle, solution) in puzzles(1_000) {
        let explained = explain(&puzzle, Effort { er_limit: Score(36), ..effort() }, u32::MAX, &mut || Pace::Continue);
        let easy = told(explained.rated);
        for limit in [10, 12, 15, 17, 19, 20, 23, 25, 26, 28, 30, 32, 34, 36] {
            let within = easy.is_some_and(|[er, ..]| er <= limit);
            assert_eq!(solvable_within(&puzzle, Score(limit)), within, "{limit}: {puzzle}");
        }
        if easy.is_some() {
            assert_eq!(rated(&puzzle), explained.rated, "{puzzle}");
        }
        assert!(solution.extends(&puzzle));
    }
}
