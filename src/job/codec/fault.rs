//! A fault of a text in 8 bytes: kind, cell, column (2), detail (4).

use crate::sudoku::text::{Fault, FaultKind};

/// Bytes of a fault.
pub(super) const FAULT_BYTES: usize = 8;

/// The fault's bytes.
pub(super) fn encode(fault: &Fault) -> [u8; FAULT_BYTES] {
    let (column, detail) = (fault.column.to_le_bytes(), fault.detail.to_le_bytes());
    [fault.kind as u8, fault.cell, column[0], column[1], detail[0], detail[1], detail[2], detail[3]]
}

/// The fault in these bytes, `None` if they hold none.
pub(super) fn decode(bytes: [u8; FAULT_BYTES]) -> Option<Fault> {
    let [kind, cell, c0, c1, detail @ ..] = bytes;
    let kind = FaultKind::from_code(kind)?;
    let fault = Fault { kind, cell, column: u16::from_le_bytes([c0, c1]), detail: u32::from_le_bytes(detail) };
    (cell <= 81).then_some(fault)
}
