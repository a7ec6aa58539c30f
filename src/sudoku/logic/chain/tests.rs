//! Chains by known answers, and by what must hold on any state.

use super::super::{Assertion, Digits, Found, State, Step, Technique, first};
use super::*;
use crate::sudoku::generate::{CompleteSpec, Completer, Family as Grids};
use crate::sudoku::random::{Purpose, Random};
use crate::sudoku::{Cell, CellSet, Grid};

/// Families in the order of their difficulty.
const FAMILIES: [(&str, Find); 9] = [
    ("cycles_and_chains", find_cycles_and_chains),
    ("nishio", find_nishio),
    ("multiple", find_multiple),
    ("dynamic", find_dynamic),
    ("dynamic_plus", find_dynamic_plus),
    ("nested2", |state, terms, found| find_nested(state, 2, terms, found)),
    ("nested3", |state, terms, found| find_nested(state, 3, terms, found)),
    ("nested4", |state, terms, found| find_nested(state, 4, terms, found)),
    ("nested5", |state, terms, found| find_nested(state, 5, terms, found)),
];

/// Those that follow links alone.
const ON_LINKS: usize = 4;

type Find = fn(&State, &mut Terms, Found) -> ControlFlow<()>;

fn find_first(find: Find, state: &State) -> Option<Step> {
    first(|found| find(state, &mut Terms { pace: &mut || Pace::Continue, chains: true }, found))
}

fn find_all(find: Find, state: &State) -> Vec<Step> {
    let mut steps = Vec::new();
    let flow = find(state, &mut Terms { pace: &mut || Pace::Continue, chains: true }, &mut |step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue(), "nobody said stop");
    steps
}

/// A state from its cells: `=5` a digit placed, else the candidates.
fn state_of(text: &str) -> State {
    let mut puzzle = Grid::EMPTY;
    let cells: Vec<(Cell, &str)> = Cell::all().zip(text.split(',')).collect();
    for (cell, field) in &cells {
        if let Some(digit) = field.strip_prefix('=') {
            puzzle.set(*cell, digit.parse().expect("a digit"));
        }
    }
    let mut state = State::new(&puzzle);
    for (cell, field) in cells.iter().filter(|(_, field)| !field.starts_with('=')) {
        let kept = field.bytes().fold(Digits::NONE, |digits, digit| digits | Digits::of(digit - b'0'));
        assert!(state.candidates(*cell).includes(kept), "{cell} {field}");
        state.remove(*cell, Digits::ALL - kept);
    }
    state
}

/// As the cases have it: technique, score, digit placed, candidates removed.
fn told(step: &Step) -> String {
    let list = |words: Vec<String>| if words.is_empty() { "-".into() } else { words.join(",") };
    let placed = step.placement.iter().map(|(cell, digit)| format!("{cell}={digit}")).collect();
    let removed = step.removals.iter().map(|(cell, digits)| format!("{cell}-{digits}")).collect();
    format!("{:?} {} {} {}", step.technique, step.score, list(placed), list(removed))
}

/// Cases: the index of the family, whether the step is its first, the step, the state.
fn cases() -> impl Iterator<Item = (usize, bool, String, State)> {
    include_str!("cases.txt").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let family = FAMILIES.iter().position(|(name, _)| *name == words[0]).expect("a family");
        (family, words[1] == "first", words[2..6].join(" "), state_of(words[6]))
    })
}

#[test]
fn known_steps() {
    let mut seen = 0;
    for (family, is_first, expected, state) in cases() {
        let (name, find) = FAMILIES[family];
        if is_first {
            let step = find_first(find, &state).unwrap_or_else(|| panic!("{name}: no step, not {expected}"));
            assert_eq!(told(&step), expected, "{name}");
            seen += 1;
            continue;
        }
        // What chains in chains add is not found without them, here.
        let effect = |step: &Step| (step.placement, step.removals.clone());
        let before: Vec<_> = find_all(FAMILIES[family - 1].1, &state).iter().map(effect).collect();
        let steps = find_all(find, &state);
        let step = steps.iter().find(|step| told(step) == expected).unwrap_or_else(|| panic!("{name}: no {expected}"));
        assert!(!before.contains(&effect(step)), "{name}: {expected} needs nothing nested");
        seen += 1;
    }
    assert_eq!(seen, 31);
}

/// A state on the way to a grid, as random removals leave it, and the grid.
fn random_state(index: u64) -> (State, Grid) {
    let grid = Completer::new(CompleteSpec { family: Grids::Search, first_cell: 0 }, 7).item(index);
    let mut random = Random::new(7, Purpose::Fill, 1_000_000 + index);
    let mut puzzle = grid;
    let clues = 26 + random.below(20);
    for cell in Cell::all() {
        if random.below(81) >= clues {
            puzzle.set(cell, 0);
        }
    }
    let mut state = State::new(&puzzle);
    for cell in Cell::all() {
        let wrong = state.candidates(cell) - Digits::of(grid.get(cell));
        let gone =
            wrong.iter().filter(|_| random.below(3) == 0).fold(Digits::NONE, |all, digit| all | Digits::of(digit));
        state.remove(cell, gone);
    }
    (state, grid)
}

/// That a step says something, and nothing wrong.
fn check_sound(name: &str, step: &Step, state: &State, grid: &Grid) {
    assert!(step.removals.iter().all(|(cell, digits)| !digits.has(grid.get(*cell))), "{name} {step:?}");
    assert!(step.placement.is_none_or(|(cell, digit)| grid.get(cell) == digit), "{name} {step:?}");
    assert!(step.removals.iter().all(|(cell, digits)| state.candidates(*cell).includes(*digits)), "{name} {step:?}");
    assert!(step.placement.is_some() || !step.removals.is_empty(), "{name}: nothing follows");
}

#[test]
fn no_first_step_harms_the_solution() {
    // Of every so many states: what is nested takes long.
    let strides = [1, 1, 1, 1, 10, 200, 1_000];
    let mut steps = [0; 7];
    for index in 0..if cfg!(debug_assertions) { 1_000 } else { 10_000 } {
        let (state, grid) = random_state(index);
        for (i, (name, find)) in FAMILIES.into_iter().take(strides.len()).enumerate() {
            if index % strides[i] == 0
                && let Some(step) = find_first(find, &state)
            {
                check_sound(name, &step, &state, &grid);
                steps[i] += 1;
            }
        }
    }
    assert!(steps.iter().all(|&count| count > 0) && steps[0] > 100, "{steps:?}");
}

#[test]
fn no_step_harms_the_solution() {
    let mut steps = 0;
    for index in 0..40 {
        let (state, grid) = random_state(index);
        for (name, find) in FAMILIES.iter().take(if index < 8 { 6 } else { ON_LINKS }) {
            for step in find_all(*find, &state) {
                check_sound(name, &step, &state, &grid);
                steps += 1;
            }
        }
    }
    assert!(steps > 1000, "{steps}");
}

/// A family that follows links alone, for what its tests need to see inside.
fn on_links<'a>(name: &str, state: &'a State, beyond: &'a mut dyn Beyond) -> Multiple<'a> {
    let kind = match name {
        "nishio" => Kind::NISHIO,
        "multiple" => Kind::MULTIPLE,
        _ => Kind::DYNAMIC,
    };
    Multiple { state, kind, floods: Floods::new(state, kind.mode, beyond), chains: false }
}

/// The best of a search for one, and of a search for all.
fn bests<'a>(state: &'a State, family: &mut dyn Family<'a>) -> [Option<Hint>; 2] {
    [Sink::first(state), Sink::each(state)].map(|mut sink| {
        assert!(family.search(&mut sink).is_continue(), "nobody said stop");
        sink.into_sorted().into_iter().next()
    })
}

#[test]
fn the_first_is_the_best_of_all() {
    let mut found = 0;
    for (state, _) in (0..60).map(random_state) {
        let mut terms = Terms { pace: &mut || Pace::Continue, chains: false };
        let mut all = vec![bests(&state, &mut Unary { state: &state, terms: &mut terms })];
        for name in ["nishio", "multiple", "dynamic"] {
            all.push(bests(&state, &mut on_links(name, &state, &mut LinksOnly(&mut || Pace::Continue))));
        }
        for [first, best] in all {
            let key = |hint: &Hint| (hint.rank, hint.source, hint.effect.clone());
            assert_eq!(first.as_ref().map(key), best.as_ref().map(key));
            found += usize::from(first.is_some());
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn the_same_at_each_run_and_stopped_anywhere() {
    for (family, is_first, _, state) in cases().filter(|(family, ..)| *family <= 5) {
        let (name, find) = FAMILIES[family];
        if !is_first {
            continue;
        }
        let run = |limit: u32| {
            let (mut asked, mut step) = (0, None);
            let mut pace = || {
                asked += 1;
                if asked > limit { Pace::Stop } else { Pace::Continue }
            };
            let flow = find(&state, &mut Terms { pace: &mut pace, chains: true }, &mut |found| {
                step = Some(found);
                ControlFlow::Break(())
            });
            assert!(flow.is_break(), "{name}");
            (asked, step)
        };
        let (asked, step) = run(u32::MAX);
        assert!(step.is_some() && asked > 1, "{name}");
        assert_eq!(run(u32::MAX), (asked, step), "{name}");
        for limit in [0, 1, asked / 2, asked - 1] {
            assert_eq!(run(limit), (limit + 1, None), "{name}, stopped after {limit} of {asked}");
        }
    }
}

/// Whether each assertion but the first follows from those before it.
fn follows(state: &State, chain: &[Assertion]) -> bool {
    let off = |before: &[Assertion], digit| -> CellSet {
        before.iter().filter(|known| !known.holds && known.digit == digit).map(|known| known.cell).collect()
    };
    (1..chain.len()).all(|i| {
        let (before, next) = (&chain[..i], chain[i]);
        if !next.holds {
            let clashes = |known: &Assertion| match known.cell == next.cell {
                true => known.digit != next.digit,
                false => known.digit == next.digit && CellSet::peers(next.cell).contains(known.cell),
            };
            return before.iter().any(|known| known.holds && clashes(known));
        }
        let others = (state.candidates(next.cell) - Digits::of(next.digit)).iter();
        let last_in_cell = others.into_iter().all(|digit| off(before, digit).contains(next.cell));
        let last_in_house = next.cell.houses().into_iter().any(|(house, _)| {
            let mut others = state.cells_with(next.digit) & CellSet::house(house);
            others.remove(next.cell);
            (others - off(before, next.digit)).is_empty()
        });
        last_in_cell || last_in_house
    })
}

#[test]
fn chains_justify_their_steps() {
    let mut steps = 0;
    for (state, _) in (0..30).map(random_state) {
        for (name, find) in &FAMILIES[..ON_LINKS] {
            for step in find_all(*find, &state) {
                assert!(step.chains.iter().all(|chain| follows(&state, chain)), "{name} {step:?}");
                let starts: Vec<Assertion> = step.chains.iter().map(|chain| chain[0]).collect();
                let ends: Vec<Assertion> = step.chains.iter().map(|chain| chain[chain.len() - 1]).collect();
                let contrary = |a: Assertion| Assertion { holds: !a.holds, ..a };
                match step.technique {
                    Technique::XCycle | Technique::YCycle | Technique::XyCycle => {
                        assert_eq!((starts[0], starts[1]), (ends[0], contrary(starts[0])));
                        assert_eq!(starts, ends);
                    }
                    Technique::Nishio | Technique::DynamicContradiction => {
                        assert_eq!((starts[0], ends[0]), (starts[1], contrary(ends[1])));
                        assert!(decides(&step, &state, contrary(starts[0])), "{step:?}");
                    }
                    Technique::ForcingXChain | Technique::ForcingChain => {
                        assert_eq!(ends[0], contrary(starts[0]));
                        assert!(decides(&step, &state, ends[0]), "{step:?}");
                    }
                    _ => {
                        assert!(ends.iter().all(|end| *end == ends[0]), "{step:?}");
                        assert!(decides(&step, &state, ends[0]), "{step:?}");
                        assert!(one_holds(&state, &starts), "{step:?}");
                    }
                }
                steps += 1;
            }
        }
    }
    assert!(steps > 1000, "{steps}");
}

/// Whether the step says this, and no more.
fn decides(step: &Step, state: &State, end: Assertion) -> bool {
    match step.placement {
        Some(placed) => end.holds && placed == (end.cell, end.digit) && step.removals.is_empty(),
        None => {
            !end.holds
                && step.removals == [(end.cell, Digits::of(end.digit))]
                && state.candidates(end.cell).has(end.digit)
        }
    }
}

/// Whether one of the assumptions must hold: a candidate and its absence, all of a cell, all places of a digit.
fn one_holds(state: &State, starts: &[Assertion]) -> bool {
    let (cell, digit) = (starts[0].cell, starts[0].digit);
    if let [on, off] = starts
        && (on.cell, on.digit) == (off.cell, off.digit)
    {
        return on.holds && !off.holds;
    }
    let cells: CellSet = starts.iter().map(|start| start.cell).collect();
    let all_of_cell =
        starts.iter().all(|start| start.cell == cell) && starts.len() == state.candidates(cell).len() as usize;
    let mut houses = cell.houses().into_iter();
    let all_places = starts.iter().all(|start| start.digit == digit)
        && houses.any(|(house, _)| state.cells_with(digit) & CellSet::house(house) == cells);
    starts.iter().all(|start| start.holds) && (all_of_cell || all_places)
}
