//! Why an item has no answer, and its bytes.

use super::fault::{self, FAULT_BYTES};
use crate::sudoku::Outcome;
use crate::sudoku::text::Fault;

/// Why an item is INVALID or FAILED.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemError {
    /// INVALID: the text was no puzzle.
    Text(Fault),
    /// FAILED: a machine-readable reason (`WORKER_PANIC`, `WORKER_CRASH`, `INPUT_DAMAGED`) and words for people.
    Fault {
        /// Upper snake case, at most 255 bytes; longer ones are stored cut.
        reason: String,
        /// For people, at most 65,535 bytes; longer ones are stored cut.
        message: String,
    },
}

impl ItemError {
    /// The outcome that an item with this error has.
    pub fn outcome(&self) -> Outcome {
        match self {
            ItemError::Text(_) => Outcome::Invalid,
            ItemError::Fault { .. } => Outcome::Failed,
        }
    }

    /// Appends its bytes. INVALID: the fault. FAILED: length (1 byte) and bytes of the reason, length (2) and
    /// bytes of the message.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        match self {
            ItemError::Text(fault) => out.extend_from_slice(&fault::encode(fault)),
            ItemError::Fault { reason, message } => {
                let (reason, message) = (cut(reason, u8::MAX.into()), cut(message, u16::MAX.into()));
                out.push(reason.len() as u8);
                out.extend_from_slice(reason.as_bytes());
                out.extend_from_slice(&(message.len() as u16).to_le_bytes());
                out.extend_from_slice(message.as_bytes());
            }
        }
    }

    /// Reads the error of an item with this outcome and moves `bytes` behind it. `None` if there is none.
    pub(super) fn decode(outcome: Outcome, bytes: &mut &[u8]) -> Option<ItemError> {
        if outcome == Outcome::Invalid {
            let fault = fault::decode(*bytes.split_off(..FAULT_BYTES)?.first_chunk()?)?;
            return Some(ItemError::Text(fault));
        }
        let length = usize::from(*bytes.split_off_first()?);
        let reason = text(bytes.split_off(..length)?)?;
        let length = u16::from_le_bytes(*bytes.split_off(..2)?.first_chunk()?);
        let message = text(bytes.split_off(..usize::from(length))?)?;
        Some(ItemError::Fault { reason, message })
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(String::from)
}

fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}
