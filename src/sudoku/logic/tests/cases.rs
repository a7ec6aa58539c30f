//! The smallest case of each technique, with its exact step.

use super::support::{grid, restrict, told};
use crate::sudoku::Grid;
use crate::sudoku::logic::{Found, State, Technique, aligned, bug, first, fish, locked, sets, singles, unique, wings};
use std::ops::ControlFlow;

/// A technique: its steps in order.
type Find = fn(&State, Found) -> ControlFlow<()>;

fn check(find: Find, start: &Grid, words: &str, expected: &str) {
    let state = restrict(State::new(start), words);
    let step = first(|found| find(&state, found));
    let told = step.as_ref().map(told);
    assert_eq!(told.as_deref(), Some(expected), "{words}");
}

/// Checks steps on an empty grid whose candidates are restricted by some words.
fn check_all(cases: &[(Find, &str, &str)]) {
    for &(find, words, expected) in cases {
        check(find, &Grid::EMPTY, words, expected);
        // Where the words say nothing there is nothing to find.
        assert_eq!(first(|found| find(&State::new(&Grid::EMPTY), found)), None, "{expected}");
    }
}

/// Direct claiming always comes with something easier.
fn direct_claiming(state: &State, found: Found) -> ControlFlow<()> {
    locked::find_direct(state, &mut |step| match step.technique {
        Technique::DirectClaiming => found(step),
        _ => ControlFlow::Continue(()),
    })
}

#[test]
fn singles() {
    check_all(&[
        (singles::find_hidden, "r1c1!1 r1c2!2 r1c3!3 r1c4!4 r1c5!5 r1c6!6 r1c7!7 r1c8!8", "LastInHouse 1.0 r1c9=9"),
        (singles::find_hidden, "b1:5=r2c2", "HiddenSingleBox 1.2 r2c2=5"),
        (singles::find_hidden, "c4:5=r9c4", "HiddenSingleLine 1.5 r9c4=5"),
        (singles::find_naked, "r5c5=7", "NakedSingle 2.3 r5c5=7"),
    ]);
}

#[test]
fn locked_candidates() {
    check_all(&[
        (locked::find_direct, "b1:5=r1c1,r1c2 b2:5=r1c4,r2c5", "DirectPointing 1.7 r2c5=5"),
        (direct_claiming, "r1:5=r1c1,r1c2 r2:5=r2c3,r2c9", "DirectClaiming 1.9 r2c9=5"),
        (locked::find, "b1:5=r1c1,r1c2", "Pointing 2.6 r1c456789-5"),
        (locked::find, "r1:5=r1c1,r1c2", "Claiming 2.8 r2c123-5 r3c123-5"),
    ]);
}

#[test]
fn naked_sets() {
    check_all(&[
        (|state, found| sets::find_naked(state, 2, found), "r1c1=12 r1c9=12", "NakedPair 3.0 r1c2345678-12"),
        (|state, found| sets::find_naked(state, 3, found), "r1c1=12 r1c4=23 r1c7=13", "NakedTriplet 3.6 r1c235689-123"),
        (
            |state, found| sets::find_naked(state, 4, found),
            "r1c1=12 r1c3=23 r1c5=34 r1c7=14",
            "NakedQuad 5.0 r1c24689-1234",
        ),
    ]);
}

#[test]
fn hidden_sets() {
    check_all(&[
        (
            |state, found| sets::find_direct(state, 2, found),
            "b1:1=r1c1,r1c2 b1:2=r1c1,r1c2 b1:3=r1c1,r2c2",
            "DirectHiddenPair 2.0 r2c2=3",
        ),
        (
            |state, found| sets::find_direct(state, 3, found),
            "b1:1=r1c1,r1c2 b1:2=r1c2,r1c3 b1:3=r1c1,r1c3 b1:4=r1c1,r3c3",
            "DirectHiddenTriplet 2.5 r3c3=4",
        ),
        (
            |state, found| sets::find_hidden(state, 2, found),
            "r1:1=r1c1,r1c9 r1:2=r1c1,r1c9",
            "HiddenPair 3.4 r1c19-3456789",
        ),
        (
            |state, found| sets::find_hidden(state, 3, found),
            "r1:1=r1c1,r1c4 r1:2=r1c4,r1c7 r1:3=r1c1,r1c7",
            "HiddenTriplet 4.0 r1c147-456789",
        ),
        (
            |state, found| sets::find_hidden(state, 4, found),
            "r1:1=r1c1,r1c3 r1:2=r1c3,r1c5 r1:3=r1c5,r1c7 r1:4=r1c1,r1c7",
            "HiddenQuad 5.4 r1c1357-56789",
        ),
    ]);
}

#[test]
fn fish() {
    check_all(&[
        (
            |state, found| fish::find(state, 2, found),
            "c1:5=r1c1,r5c1 c9:5=r1c9,r5c9",
            "XWing 3.2 r1c2345678-5 r5c2345678-5",
        ),
        (
            |state, found| fish::find(state, 3, found),
            "c1:5=r1c1,r4c1 c4:5=r4c4,r7c4 c7:5=r1c7,r7c7",
            "Swordfish 3.8 r1c235689-5 r4c235689-5 r7c235689-5",
        ),
        (
            |state, found| fish::find(state, 4, found),
            "r1:5=r1c1,r1c3 r3:5=r3c3,r3c5 r5:5=r5c5,r5c7 r7:5=r7c1,r7c7",
            "Jellyfish 5.2 r2c1357-5 r4c1357-5 r6c1357-5 r8c1357-5 r9c1357-5",
        ),
    ]);
}

#[test]
fn wings() {
    check_all(&[
        (wings::find_xy, "r1c1=12 r1c5=13 r5c1=23", "XyWing 4.2 r5c5-3"),
        (wings::find_xyz, "r1c1=123 r1c5=13 r2c2=23", "XyzWing 4.4 r1c23-3"),
    ]);
}

#[test]
fn rectangles() {
    check_all(&[
        (unique::find, "r1c1=12 r1c4=12 r2c1=12", "UniqueRectangle 4.5 r2c4-12"),
        (unique::find, "r1c1=12 r1c4=12 r2c1=123 r2c4=123", "UniqueRectangle 4.5 r2c2356789-3"),
        (unique::find, "r1c1=12 r1c4=12 r2c1=123 r2c4=124 r2c9=34", "UniqueRectangle 4.6 r2c235678-34"),
        (
            unique::find,
            "r1c1=12 r1c4=12 r2c1=123 r2c4=124 r2:1=r2c1,r2c4,r2c8 r2:2=r2c1,r2c4,r2c8",
            "UniqueRectangle 4.5 r2c8-3456789",
        ),
        (unique::find, "r1c1=12 r1c4=12 r2:1=r2c1,r2c4", "UniqueRectangle 4.5 r2c14-2"),
    ]);
}

#[test]
fn loops() {
    check_all(&[
        (
            unique::find,
            "r1c1=12 r1c4=12 r2c4=12 r2c7=12 r3c7=12 r2c1=3456789 r3c4=3456789 r1c7=3456789",
            "UniqueLoop 4.6 r3c1-12",
        ),
        (
            unique::find,
            "r1c1=12 r1c4=12 r2c4=12 r2c7=12 r3c7=123 r3c1=123 r2c1=3456789 r3c4=3456789 r1c7=3456789",
            "UniqueLoop 4.6 r3c2345689-3",
        ),
    ]);
}

#[test]
fn aligned_exclusion() {
    check_all(&[
        (aligned::find_pairs, "r1c1=14 r1c2=23 r1c4=12 r2c3=13", "AlignedPairExclusion 6.2 r1c1-1"),
        (
            aligned::find_triplets,
            "r1c1=19 r1c2=23 r1c3=45 r1c5=124 r1c6=125 r1c7=134 r1c8=135",
            "AlignedTripletExclusion 7.5 r1c1-1",
        ),
    ]);
}

/// States of puzzles late in their solution, as the digits placed and what more is known of the candidates.
#[test]
fn graves() {
    let cases = [
        ("2539168474695783128..2436595.63891.49..76258338.451.9673582496119.635..86.8197.35", "", "Bug1 5.6 r8c7-47"),
        (
            "1.4.9.726927416583.68.7.491741325968692187345.8.9642172...5..748...4..324.6.3.859",
            "",
            "Bug2 5.7 r7c2-1 r8c6-1",
        ),
        (
            ".3....6.8.68..3.12.7..684.359687...4784.39..6213546..9859314267641927..5327685941",
            "r1c4=47",
            "Bug3 5.8 r1c3-5",
        ),
        (
            ".9.76318..3.128...186549237315984672479216358628375491.4.837...85.6927...6.45182.",
            "",
            "Bug4 5.7 r2c9-9 r7c9-5",
        ),
    ];
    for (placed, words, expected) in cases {
        check(bug::find, &grid(placed), words, expected);
    }
}
