//! The seed of a sequence.

use super::say::note;
use uuid::Uuid;

/// The one given, else one of 64 random bits, which is named on stderr.
pub fn chosen(given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| {
        let (high, low) = Uuid::new_v4().as_u64_pair();
        // Six bits of a UUID are fixed, at different places of its halves.
        let seed = high.rotate_left(32) ^ low;
        note(format!("seed {seed}"));
        seed
    })
}
