//! A set of items as ranges: which of a live job's items have a result.
//!
//! Results come nearly in order, so a job of any size takes a handful of ranges. Knows integers only.

use std::collections::BTreeMap;

/// Ranges by start, merged where they touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(BTreeMap<u32, u32>);

impl Ranges {
    /// Adds `start..end`, which must not overlap what is here.
    pub(super) fn insert(&mut self, start: u32, end: u32) {
        let end = self.0.remove(&end).unwrap_or(end);
        match self.0.range_mut(..=start).next_back() {
            Some((_, before)) if *before == start => *before = end,
            _ => {
                self.0.insert(start, end);
            }
        }
    }

    /// Whether an item is in it.
    pub(super) fn contains(&self, item: u32) -> bool {
        self.0.range(..=item).next_back().is_some_and(|(_, end)| item < *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_order_of_chunks_ends_in_one_range(order in Just((0..20u32).collect::<Vec<_>>()).prop_shuffle()) {
            let mut ranges = Ranges::default();
            for (done, chunk) in order.iter().enumerate() {
                ranges.insert(chunk * 10, chunk * 10 + 10);
                for item in 0..200 {
                    prop_assert_eq!(ranges.contains(item), order[..=done].contains(&(item / 10)));
                }
            }
            prop_assert_eq!(ranges, Ranges(BTreeMap::from([(0, 200)])));
        }
    }
}
