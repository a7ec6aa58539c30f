//! The flags of `generate`.

use super::shared::OutArgs;
use super::values::{families, positive, seed};
use crate::sudoku::generate::Family;
use clap::Args;

/// Flags of `generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// How many completed grids.
    #[arg(long, value_name = "N", required = true, allow_negative_numbers = true, value_parser = positive)]
    pub grids: u64,
    /// Digit of row 1, column 1; 0 leaves it free.
    #[arg(long, value_name = "D", default_value = "0", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub first_cell: u8,
    /// Where they come from: orbit and shift hold no grid twice, search has the broadest variety.
    #[arg(long, value_name = "F", default_value = "orbit", value_parser = families())]
    pub family: Family,
    /// Seed of the sequence, 0 to 18446744073709551615; unset: one is drawn and named on stderr.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub seed: Option<u64>,
    /// Where the grids go.
    #[command(flatten)]
    pub out: OutArgs,
}
