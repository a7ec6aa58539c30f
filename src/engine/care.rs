//! How a chunk is to be run, after what is known against it. A pure function of its record.

use crate::store::ChunkRecord;

/// Crashes (of the whole process, with the chunk in work) after which a chunk is run item by item. High:
/// a crash counts against every chunk in work, and most of them are innocent.
const CAREFUL_AFTER_CRASHES: u32 = 8;

/// Failures of its own after which a chunk is run item by item.
const CAREFUL_AFTER_FAILURES: u32 = 3;

/// Failures after which the whole chunk is given up: item by item did not help.
const GIVE_UP_AFTER_FAILURES: u32 = 8;

/// Crashes in a row, each with the same item begun, that condemn it.
const CONDEMN_AFTER: u32 = 3;

/// How to run a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// As one.
    Whole,
    /// Item by item, each durably begun before it runs.
    ItemByItem,
    /// Not before this item is condemned.
    Condemn(u32),
    /// Not at all: every item is FAILED.
    GiveUp,
}

/// How to run a chunk with this record.
pub(super) fn care(record: &ChunkRecord) -> Care {
    match record.suspect {
        _ if record.failures >= GIVE_UP_AFTER_FAILURES => Care::GiveUp,
        Some((item, times)) if times >= CONDEMN_AFTER && !record.condemned.contains(&item) => Care::Condemn(item),
        Some(_) => Care::ItemByItem,
        None if record.crashes >= CAREFUL_AFTER_CRASHES || record.failures >= CAREFUL_AFTER_FAILURES => {
            Care::ItemByItem
        }
        None => Care::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_has_its_care() {
        let table = [
            // failures, crashes, suspect, condemned
            ((0, 0, None, vec![]), Care::Whole),
            ((2, 7, None, vec![]), Care::Whole),
            ((0, 8, None, vec![]), Care::ItemByItem),
            ((3, 0, None, vec![]), Care::ItemByItem),
            ((0, 9, Some((5, 1)), vec![]), Care::ItemByItem),
            ((0, 10, Some((5, 2)), vec![]), Care::ItemByItem),
            ((0, 11, Some((5, 3)), vec![]), Care::Condemn(5)),
            ((0, 11, Some((5, 3)), vec![5]), Care::ItemByItem),
            ((1, 14, Some((9, 3)), vec![5]), Care::Condemn(9)),
            ((7, 0, None, vec![]), Care::ItemByItem),
            ((8, 0, None, vec![]), Care::GiveUp),
            ((8, 11, Some((5, 3)), vec![]), Care::GiveUp),
        ];
        for ((failures, crashes, suspect, condemned), expected) in table {
            let record = ChunkRecord { failures, crashes, suspect, condemned };
            assert_eq!(care(&record), expected, "{record:?}");
        }
    }
}
