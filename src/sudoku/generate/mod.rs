//! Completed grids from `(seed, index)` alone, and puzzles of them: the same on every machine, kernel and number of workers.

mod orbit;
mod permutation;
pub mod puzzle;
mod search;
mod shift;
mod walk;

use super::grid::Grid;
use super::outcome::Pace;
use orbit::Orbit;
use shift::Shift;

/// Version of the sequence of items, grids and puzzles alike; a job stores the one it was made with. Raise it with any change
/// of output. Puzzles of a level depend on how puzzles are rated: a rating that changes raises it too.
pub const GENERATOR_VERSION: u32 = 1;

/// Where completed grids come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Orbits of base grids with trivial automorphism group, walked by a keyed bijection.
    #[default]
    Orbit,
    /// The classic shift construction, walked likewise.
    Shift,
    /// Each filled at random by the solver.
    Search,
}

/// Which completed grids are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompleteSpec {
    /// 1-9 fixes row 1 column 1; 0 leaves it free.
    pub first_cell: u8,
    /// Where they come from.
    pub family: Family,
}

impl CompleteSpec {
    /// How many distinct grids there are, `None` where duplicates are merely improbable (SEARCH).
    pub fn capacity(&self) -> Option<u64> {
        match self.family {
            Family::Orbit => Some(orbit::capacity(self.first_cell)),
            Family::Shift => Some(shift::capacity(self.first_cell)),
            Family::Search => None,
        }
    }
}

/// A generator of completed grids, set up once for a seed.
#[derive(Clone, Debug)]
pub struct Completer(Source);

#[derive(Clone, Debug)]
enum Source {
    Orbit(Orbit),
    Shift(Shift),
    Search { seed: u64, first_cell: u8 },
}

/// Items made between two questions to a [`Pace`]: 0.01-0.3 ms.
const STRETCH: usize = 64;

impl Completer {
    /// Sets up for a seed.
    ///
    /// # Panics
    /// When `spec.first_cell` exceeds 9.
    pub fn new(spec: CompleteSpec, seed: u64) -> Completer {
        let first_cell = spec.first_cell;
        assert!(first_cell <= 9, "first cell {first_cell}");
        Completer(match spec.family {
            Family::Orbit => Source::Orbit(Orbit::new(seed, first_cell)),
            Family::Shift => Source::Shift(Shift::new(seed, first_cell)),
            Family::Search => Source::Search { seed, first_cell },
        })
    }

    /// Item `index`.
    ///
    /// # Panics
    /// When `index` is at or above the capacity.
    pub fn item(&self, index: u64) -> Grid {
        match &self.0 {
            Source::Orbit(orbit) => orbit.item(index),
            Source::Shift(shift) => shift.item(index),
            Source::Search { seed, first_cell } => search::item(*seed, index, *first_cell),
        }
    }

    /// Fills `out` with the items from `first` on, asking `pace` at least each millisecond;
    /// returns how many were made.
    ///
    /// # Panics
    /// When an index is at or above the capacity.
    pub fn fill(&self, first: u64, out: &mut [Grid], pace: &mut dyn FnMut() -> Pace) -> usize {
        let mut made = 0;
        for stretch in out.chunks_mut(STRETCH) {
            if pace() == Pace::Stop {
                break;
            }
            for place in stretch {
                *place = self.item(first + made as u64);
                made += 1;
            }
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILIES: [Family; 3] = [Family::Orbit, Family::Shift, Family::Search];

    /// Never edit these: raise `GENERATOR_VERSION` and add to them. ORBIT and SHIFT were checked against another
    /// implementation.
    #[test]
    fn items_of_version_1_stay_what_they_are() {
        assert_eq!(GENERATOR_VERSION, 1);
        let places = [(1, 0, 0), (1, 1, 0), (2026, 999_999, 7)];
        let lines = [
            "416295387397841256528736914745319862932684571681527493179453628263978145854162739",
            "751342896829761534364589712472815369695234187183976245917428653248653971536197428",
            "753684192146925873928371465472853916391467258865192734584739621637218549219546387",
            "234159876876234159159876234415987623987623415623415987762341598598762341341598762",
            "165289437289437165437165289716528943528943716943716528894371652371652894652894371",
            "789624153153789624624153789415378962378962415962415378537896241241537896896241537",
            "641825793927364581385917462859741326734692158162538974596483217273156849418279635",
            "438591672917246583652738491241873956869415327573629148184357269795162834326984715",
            "762531489183429765594786321956314278831672594427895136648257913379148652215963847",
        ];
        let specs = FAMILIES.into_iter().flat_map(|family| places.map(|place| (family, place)));
        for ((family, (seed, index, first_cell)), line) in specs.zip(lines) {
            let grid = Completer::new(CompleteSpec { first_cell, family }, seed).item(index);
            assert_eq!(grid.to_string(), line, "{family:?}, seed {seed}, item {index}");
        }
    }

    #[test]
    fn capacities_are_those_of_the_construction() {
        let capacity = |family, first_cell| CompleteSpec { first_cell, family }.capacity();
        assert_eq!(capacity(Family::Orbit, 0), Some(8 * 1_218_998_108_160));
        assert_eq!(capacity(Family::Orbit, 3), Some(8 * 135_444_234_240));
        assert_eq!(capacity(Family::Shift, 0), Some(26_127_360));
        assert_eq!(capacity(Family::Shift, 3), Some(2_903_040));
        assert_eq!(capacity(Family::Search, 0), None);
    }

    #[test]
    fn fill_gives_the_items_one_by_one_until_stopped() {
        for family in FAMILIES {
            let completer = Completer::new(CompleteSpec { first_cell: 4, family }, 9);
            let mut out = [Grid::EMPTY; 200];
            assert_eq!(completer.fill(50, &mut out, &mut || Pace::Continue), 200);
            assert!(out.iter().zip(50..).all(|(grid, index)| *grid == completer.item(index)));
            let (mut some, mut asked) = ([Grid::EMPTY; 200], 0);
            let mut pace = || {
                asked += 1;
                if asked > 2 { Pace::Stop } else { Pace::Continue }
            };
            assert_eq!(completer.fill(50, &mut some, &mut pace), 128);
            assert!(some[..128] == out[..128] && some[128..].iter().all(|grid| *grid == Grid::EMPTY));
        }
    }

    #[test]
    #[should_panic(expected = "index 26127360 of 26127360")]
    fn there_is_nothing_beyond_the_capacity() {
        Completer::new(CompleteSpec { first_cell: 0, family: Family::Shift }, 1).item(26_127_360);
    }
}
