//! One written-out step and its sentence for each technique and type.

use super::super::score::Score;
use super::super::step::Assertion;
use super::*;
use crate::sudoku::{Cell, CellSet};

/// `r1c1`.
fn cell(name: &str) -> Cell {
    let digit = |at: usize| usize::from(name.as_bytes()[at] - b'1');
    Cell::at(digit(1), digit(3))
}

fn cells(names: &str) -> CellSet {
    names.split_whitespace().map(cell).collect()
}

fn set(digits: &str) -> Digits {
    digits.bytes().fold(Digits::NONE, |all, digit| all | Digits::of(digit - b'0'))
}

/// `r1c1-26 r1c2-2`.
fn removals(text: &str) -> Vec<(Cell, Digits)> {
    text.split_whitespace().map(|one| (cell(&one[..4]), set(&one[5..]))).collect()
}

/// `r1c1=5 r1c2-5`: it is, it is not.
fn chain(text: &str) -> Vec<Assertion> {
    let one =
        |one: &str| Assertion { cell: cell(&one[..4]), digit: one.as_bytes()[5] - b'0', holds: &one[4..5] == "=" };
    text.split_whitespace().map(one).collect()
}

fn step(technique: T) -> Step {
    Step::new(technique, Score(0))
}

/// A pattern of cells, digits and houses.
fn pattern(technique: T, names: &str, digits: &str, houses: &[u8]) -> Step {
    Step { cells: cells(names), digits: set(digits), houses: houses.to_vec(), ..step(technique) }
}

fn placing(step: Step, name: &str, digit: u8) -> Step {
    Step { placement: Some((cell(name), digit)), ..step }
}

fn removing(step: Step, gone: &str) -> Step {
    Step { removals: removals(gone), ..step }
}

fn with(step: Step, beside: &str, extra: &str) -> Step {
    Step { beside: cells(beside), extra: set(extra), ..step }
}

fn chained(technique: T, chains: &[&str], gone: &str) -> Step {
    Step { chains: chains.iter().map(|text| chain(text)).collect(), removals: removals(gone), ..step(technique) }
}

fn check(steps: &[(Step, &str)]) {
    for (step, words) in steps {
        assert_eq!(sentence(step), *words);
        assert!(!step.technique.name().is_empty());
    }
}

#[test]
fn singles() {
    check(&[
        (
            placing(pattern(T::LastInHouse, "r3c4", "7", &[2]), "r3c4", 7),
            "r3c4 is the last empty cell of row 3, so r3c4 is 7.",
        ),
        (
            placing(pattern(T::HiddenSingleBox, "r4c6", "7", &[22]), "r4c6", 7),
            "In box 5 the only place left for 7 is r4c6, so r4c6 is 7.",
        ),
        (
            placing(pattern(T::HiddenSingleLine, "r9c6", "1", &[14]), "r9c6", 1),
            "In column 6 the only place left for 1 is r9c6, so r9c6 is 1.",
        ),
        (
            placing(pattern(T::NakedSingle, "r1c1", "3", &[]), "r1c1", 3),
            "3 is the only candidate left in r1c1, so r1c1 is 3.",
        ),
    ]);
}

#[test]
fn locked_candidates() {
    check(&[
        (
            removing(pattern(T::Pointing, "r4c4 r5c4", "7", &[22, 12]), "r1c4-7 r8c4-7"),
            "In box 5 all places for 7, r4c4 and r5c4, lie in column 4, so 7 can be removed from r1c4 and r8c4.",
        ),
        (
            removing(pattern(T::Claiming, "r2c1 r2c2 r2c3", "9", &[1, 18]), "r3c1-9"),
            "In row 2 all places for 9, r2c1, r2c2 and r2c3, lie in box 1, so 9 can be removed from r3c1.",
        ),
        (
            placing(pattern(T::DirectPointing, "r4c4 r5c4", "7", &[22, 12, 25]), "r8c5", 7),
            "In box 5 all places for 7, r4c4 and r5c4, lie in column 4; that leaves only r8c5 for 7 in box 8, \
             so r8c5 is 7.",
        ),
        (
            placing(pattern(T::DirectClaiming, "r2c1 r2c2", "9", &[1, 18, 2]), "r3c7", 9),
            "In row 2 all places for 9, r2c1 and r2c2, lie in box 1; that leaves only r3c7 for 9 in row 3, so r3c7 is 9.",
        ),
    ]);
}

#[test]
fn naked_and_hidden_sets() {
    check(&[
        (
            removing(pattern(T::NakedPair, "r4c1 r4c7", "26", &[3]), "r4c3-2 r4c5-26 r4c9-2"),
            "In row 4 the cells r4c1 and r4c7 have only the candidates 2 and 6, so 2 can be removed from r4c3 and r4c9; \
             2 and 6 from r4c5.",
        ),
        (
            removing(pattern(T::NakedTriplet, "r1c2 r4c2 r9c2", "158", &[10]), "r3c2-1 r5c2-8"),
            "In column 2 the cells r1c2, r4c2 and r9c2 have only the candidates 1, 5 and 8 among them, so 1 can be \
             removed from r3c2 and 8 from r5c2.",
        ),
        (
            removing(pattern(T::NakedQuad, "r1c1 r1c2 r2c1 r2c2", "1234", &[18]), "r3c3-4"),
            "In box 1 the cells r1c1, r1c2, r2c1 and r2c2 have only the candidates 1, 2, 3 and 4 among them, so 4 can be \
             removed from r3c3.",
        ),
        (
            removing(pattern(T::HiddenPair, "r4c1 r4c7", "26", &[3]), "r4c1-5 r4c7-89"),
            "In row 4 the digits 2 and 6 can only go in r4c1 or r4c7, which have no room for others, so 5 can be removed \
             from r4c1; 8 and 9 from r4c7.",
        ),
        (
            removing(pattern(T::HiddenTriplet, "r4c1 r4c5 r4c7", "269", &[3]), "r4c1-5"),
            "In row 4 the digits 2, 6 and 9 can only go in r4c1, r4c5 or r4c7, which have no room for others, so 5 can be \
             removed from r4c1.",
        ),
        (
            removing(pattern(T::HiddenQuad, "r1c1 r1c2 r2c1 r2c2", "1234", &[18]), "r1c1-5"),
            "In box 1 the digits 1, 2, 3 and 4 can only go in r1c1, r1c2, r2c1 or r2c2, which have no room for others, \
             so 5 can be removed from r1c1.",
        ),
        (
            placing(pattern(T::DirectHiddenPair, "r4c1 r4c7", "26", &[3]), "r4c3", 5),
            "In row 4 the digits 2 and 6 can only go in r4c1 or r4c7, which have no room for others; that leaves only r4c3 \
             for 5 in row 4, so r4c3 is 5.",
        ),
        (
            placing(pattern(T::DirectHiddenTriplet, "r1c1 r1c2 r2c1", "123", &[18]), "r3c3", 9),
            "In box 1 the digits 1, 2 and 3 can only go in r1c1, r1c2 or r2c1, which have no room for others; that leaves \
             only r3c3 for 9 in box 1, so r3c3 is 9.",
        ),
    ]);
}

#[test]
fn fish_and_wings() {
    check(&[
        (
            removing(pattern(T::XWing, "r2c3 r2c8 r7c3 r7c8", "4", &[1, 6, 11, 16]), "r5c3-4 r9c8-4"),
            "In rows 2 and 7 all places for 4 lie in columns 3 and 8: the two rows take the 4 of both columns, so 4 can \
             be removed from r5c3 and r9c8.",
        ),
        (
            removing(pattern(T::Swordfish, "r1c2 r4c2 r4c5 r8c8", "6", &[10, 13, 16, 0, 3, 7]), "r1c9-6"),
            "In columns 2, 5 and 8 all places for 6 lie in rows 1, 4 and 8: the three columns take the 6 of all three \
             rows, so 6 can be removed from r1c9.",
        ),
        (
            removing(pattern(T::Jellyfish, "r1c1", "6", &[0, 1, 2, 3, 9, 10, 11, 12]), "r9c1-6"),
            "In rows 1, 2, 3 and 4 all places for 6 lie in columns 1, 2, 3 and 4: the four rows take the 6 of all four \
             columns, so 6 can be removed from r9c1.",
        ),
        (
            removing(with(pattern(T::XyWing, "r1c1", "259", &[]), "r1c7 r3c2", ""), "r3c8-9"),
            "Whether r1c1 is 2 or 5, one of r1c7 and r3c2 is 9, so 9 can be removed from r3c8, which sees both.",
        ),
        (
            removing(with(pattern(T::XyzWing, "r1c1", "259", &[]), "r1c7 r3c2", ""), "r1c2-9 r1c3-9"),
            "Whether r1c1 is 2, 5 or 9, one of r1c1, r1c7 and r3c2 is 9, so 9 can be removed from r1c2 and r1c3, which see \
             all three.",
        ),
    ]);
}

#[test]
fn unique_rectangles_and_loops() {
    let corners = "r1c1 r1c4 r5c1 r5c4";
    let rectangle = |houses: &[u8]| pattern(T::UniqueRectangle, corners, "26", houses);
    let deadly = "If the rectangle r1c1, r1c4, r5c1 and r5c4 held only 2 and 6, these could be exchanged for a second \
                  solution";
    for (step, follows) in [
        (removing(with(rectangle(&[]), "", "79"), "r5c4-26"), ", so 2 and 6 can be removed from r5c4."),
        (
            removing(with(rectangle(&[]), "", "7"), "r5c6-7"),
            ": one of its cells must be 7, so 7 can be removed from r5c6.",
        ),
        (
            removing(with(rectangle(&[4]), "r5c3 r5c7", "138"), "r5c9-38"),
            ": in row 5 its other digits and r5c3 and r5c7 make a naked set of 1, 3 and 8, so 3 and 8 can be removed from \
             r5c9.",
        ),
        (
            removing(with(rectangle(&[4]), "r5c3 r5c7", "268"), "r5c3-4"),
            ": in row 5 it takes only one of 2 and 6, so 2, 6 and 8 leave no room for others in r5c3 and r5c7, so 4 can be \
             removed from r5c3.",
        ),
        (
            removing(with(rectangle(&[4]), "", "79"), "r5c1-6 r5c4-6"),
            ": in row 5 the 2 can only go in r5c1 or r5c4, so 6 can be removed from r5c1 and r5c4.",
        ),
    ] {
        assert_eq!(sentence(&step), format!("{deadly}{follows}"));
    }
    let six = pattern(T::UniqueLoop, "r1c1 r1c4 r2c4 r2c7 r3c1 r3c7", "26", &[]);
    check(&[(
        removing(with(six, "", "7"), "r3c7-26"),
        "If the loop r1c1, r1c4, r2c4, r2c7, r3c1 and r3c7 held only 2 and 6, these could be exchanged for a second \
         solution, so 2 and 6 can be removed from r3c7.",
    )]);
}

#[test]
fn graves() {
    let deadly = |extra, cells| {
        format!(
            "Without {extra} in {cells} every empty cell would have two candidates, every digit two places in each house, \
             and there would be two solutions or none"
        )
    };
    let two = deadly("1 or 8", "r5c5 or r5c7");
    for (step, words) in [
        (
            removing(pattern(T::Bug1, "r5c5", "7", &[]), "r5c5-24"),
            deadly("7", "r5c5") + ", so 2 and 4 can be removed from r5c5.",
        ),
        (
            removing(pattern(T::Bug2, "r5c5 r5c7", "7", &[]), "r5c1-7"),
            deadly("7", "r5c5 or r5c7") + ": one of r5c5 and r5c7 must be 7, so 7 can be removed from r5c1.",
        ),
        (
            removing(with(pattern(T::Bug3, "r5c5 r5c7", "18", &[4]), "r5c2 r5c3", "138"), "r5c9-3"),
            two.clone()
                + ": one of r5c5 and r5c7 must be 1 or 8, which with r5c2 and r5c3 makes a naked set of 1, 3 and 8 \
             in row 5, so 3 can be removed from r5c9.",
        ),
        (
            removing(with(pattern(T::Bug4, "r5c5 r5c7", "4", &[4]), "", "18"), "r5c5-3 r5c7-6"),
            two + ": one of r5c5 and r5c7 must be 1 or 8, the other 4, which has no other place in row 5, so 3 can be \
             removed from r5c5 and 6 from r5c7.",
        ),
    ] {
        assert_eq!(sentence(&step), words);
    }
}

#[test]
fn aligned_exclusion() {
    check(&[
        (
            removing(with(pattern(T::AlignedPairExclusion, "r1c1 r1c4", "", &[]), "r1c2 r2c5", ""), "r1c1-5"),
            "Of the pairs of digits that r1c1 and r1c4 can hold, none that leaves a candidate for each of r1c2 and r2c5 has \
             5 in r1c1, so 5 can be removed from r1c1.",
        ),
        (
            removing(
                with(pattern(T::AlignedTripletExclusion, "r1c1 r1c4 r2c2", "", &[]), "r1c2 r3c3", ""),
                "r1c1-57 r2c2-1",
            ),
            "Of the triplets of digits that r1c1, r1c4 and r2c2 can hold, none that leaves a candidate for each of r1c2 and \
             r3c3 has 5 or 7 in r1c1 or 1 in r2c2, so 5 and 7 can be removed from r1c1; 1 from r2c2.",
        ),
    ]);
}

#[test]
fn chains_of_one_way() {
    let (square, closed) = ("r1c1=5 r1c7-5 r7c7=5 r7c1-5", "r1c1=5 r1c7-5 r7c7=5 r7c1-5 r1c1=5");
    let told = "If r1c1 is 5, then r1c7 is not 5, so r7c7 is 5, so r7c1 is not 5, so r1c1 is 5, and the same backwards: \
                of every two neighbours in this loop exactly one is right, so 5 can be removed from r1c4.";
    for technique in [T::XCycle, T::YCycle, T::XyCycle] {
        check(&[(chained(technique, &[square], "r1c4-5"), told), (chained(technique, &[closed], "r1c4-5"), told)]);
    }
    check(&[
        (
            chained(T::ForcingXChain, &["r1c1=5 r1c7-5 r2c8=5 r2c1-5 r3c3=5 r1c1-5"], "r1c1-5"),
            "If r1c1 is 5, then r1c7 is not 5, so r2c8 is 5, so r2c1 is not 5, so r3c3 is 5, so r1c1 is not 5: a \
             contradiction, so 5 can be removed from r1c1.",
        ),
        (
            placing(chained(T::ForcingChain, &["r1c1-5 r1c1=3 r1c7-3 r1c1=5"], ""), "r1c1", 5),
            "If r1c1 is not 5, then r1c1 is 3, so r1c7 is not 3, so r1c1 is 5: a contradiction, so r1c1 is 5.",
        ),
    ]);
}

#[test]
fn chains_of_several_ways() {
    let clash = ["r1c1=5 r1c7-5 r7c7=5", "r1c1=5 r1c7-5 r1c8=2 r7c7-5"];
    let (cell_ways, house_ways) =
        (["r1c1=2 r2c2-2 r3c4-7", "r1c1=5 r3c4-7"], ["r4c1=5 r4c2-5 r3c4=7", "r4c7=5 r3c4=7"]);
    let cell_told = "r1c1 is 2 or 5: if r1c1 is 2, then r2c2 is not 2, so r3c4 is not 7; if r1c1 is 5, then r3c4 is not 7: \
                     in every case 7 can be removed from r3c4.";
    let house_told = "In row 4 the 5 is in r4c1 or r4c7: if r4c1 is 5, then r4c2 is not 5, so r3c4 is 7; if r4c7 is 5, then \
                      r3c4 is 7: in every case r3c4 is 7.";
    let of_house = |technique| placing(chained(technique, &house_ways, ""), "r3c4", 7);
    let in_row = |step| Step { houses: vec![3], ..step };
    check(&[
        (
            chained(T::Nishio, &clash, "r1c1-5"),
            "If r1c1 is 5, then r1c7 is not 5, so at last r7c7 is 5; but also r1c7 is not 5, r1c8 is 2, so at last r7c7 is not \
             5: a contradiction, so 5 can be removed from r1c1.",
        ),
        (
            chained(T::DynamicContradiction, &clash, "r1c1-5"),
            "If r1c1 is 5, then r1c7 is not 5, so at last r7c7 is 5; but also r1c7 is not 5, r1c8 is 2, so at last r7c7 is not \
             5: a contradiction, so 5 can be removed from r1c1.",
        ),
        (
            chained(T::DynamicDouble, &["r1c1=5 r1c7-5 r3c4-7", "r1c1-5 r3c4-7"], "r3c4-7"),
            "If r1c1 is 5, then r1c7 is not 5, so at last r3c4 is not 7; if r1c1 is not 5, then r3c4 is not 7: either way 7 \
             can be removed from r3c4.",
        ),
        (chained(T::CellForcingChains, &cell_ways, "r3c4-7"), cell_told),
        (chained(T::DynamicCell, &cell_ways, "r3c4-7"), &cell_told.replace("2, so r3c4", "2, so at last r3c4")),
        (in_row(of_house(T::HouseForcingChains)), house_told),
        (in_row(of_house(T::DynamicHouse)), &house_told.replace("5, so r3c4", "5, so at last r3c4")),
        (
            chained(T::CellForcingChains, &["r3c4=2", "r3c4=7 r3c5-7 r3c4=2"], "r3c4-7"),
            "r3c4 is 2 or 7: if r3c4 is 2, it is so at once; if r3c4 is 7, then r3c5 is not 7, so r3c4 is 2: in every case 7 \
             can be removed from r3c4.",
        ),
    ]);
}

#[test]
fn long_chains_tell_how_much_they_leave_out() {
    let links: Vec<String> = (0..100).map(|i| format!("r{}c{}=5", i % 9 + 1, i % 7 + 1)).collect();
    let long = links.join(" ");
    let told = sentence(&chained(T::ForcingChain, &[&long], "r1c1-5"));
    assert_eq!(told.matches(" is ").count(), 25, "the assumption and 24 links: {told}");
    assert!(told.contains("so r4c6 is 5, (75 more links), so r"), "{told}");
    let many = sentence(&chained(T::DynamicCell, &[long.as_str(); 9], "r1c1-5"));
    assert!(many.len() < 1_500 && many.matches("(95 more links)").count() == 9, "{}: {many}", many.len());
    let (short, long) = (&links[..27], &links[..28]);
    assert!(!sentence(&chained(T::ForcingChain, &[&short.join(" ")], "r1c1-5")).contains("more"));
    assert!(sentence(&chained(T::ForcingChain, &[&long.join(" ")], "r1c1-5")).contains("(3 more links)"));
}

#[test]
fn nested_chains_say_that_links_are_not_all() {
    let of_score = |tenths| Step { score: Score(tenths), ..chained(T::DynamicCell, &["r1c1=5 r3c4-7"], "r3c4-7") };
    let told = "in every case 7 can be removed from r3c4";
    assert!(sentence(&of_score(89)).ends_with(&format!("{told}.")));
    assert!(sentence(&of_score(90)).ends_with(&format!("{told}{NOT_LINKS_ALONE}.")));
}
