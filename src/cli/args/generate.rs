//! The flags of `generate`.

use super::shared::OutArgs;
use super::values::{blanks, clues, difficulties, families, levels, positive, seed, symmetries};
use crate::sudoku::generate::Family;
use crate::sudoku::generate::puzzle::{Blanks, ErRange, Symmetry};
use crate::sudoku::logic::Level;
use clap::Args;

/// Flags of `generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// How many.
    #[command(flatten)]
    pub count: CountArgs,
    /// Seed of the sequence, 0 to 18446744073709551615; unset: one is drawn and named on stderr.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub seed: Option<u64>,
    /// Where they go.
    #[command(flatten)]
    pub out: OutArgs,
    /// Which grids.
    #[command(flatten)]
    pub of_grids: GridArgs,
    /// Which puzzles.
    #[command(flatten)]
    pub of_puzzles: PuzzleArgs,
}

/// How many of which.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct CountArgs {
    /// How many completed grids.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    pub grids: Option<u64>,
    /// How many puzzles.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    pub puzzles: Option<u64>,
}

/// Which completed grids.
#[derive(Debug, Args)]
#[command(next_help_heading = "Completed grids")]
pub struct GridArgs {
    /// Digit of row 1, column 1; 0 leaves it free.
    #[arg(long, value_name = "D", default_value = "0", conflicts_with = "puzzles", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub first_cell: u8,
    /// Where they come from: orbit and shift hold no grid twice, search has the broadest variety.
    #[arg(long, value_name = "F", default_value = "orbit", conflicts_with = "puzzles", value_parser = families())]
    pub family: Family,
}

/// Which puzzles: unset wishes leave it free.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub struct PuzzleArgs {
    /// How hard for a person.
    #[arg(long, value_name = "L", conflicts_with = "grids", value_parser = levels())]
    pub level: Option<Level>,
    /// How hard in numbers of Sudoku Explainer, such as 2.5-3.6: the hardest step that is needed.
    #[arg(long, value_name = "MIN-MAX", conflicts_with = "grids", value_parser = difficulties)]
    pub er: Option<ErRange>,
    /// Givens: a number, or from MIN to MAX of them.
    #[arg(long, value_name = "N|MIN-MAX", conflicts_with = "grids", value_parser = clues)]
    pub clues: Option<(u8, u8)>,
    /// What the pattern of givens looks alike under.
    #[arg(long, value_name = "S", default_value = "none", conflicts_with = "grids", value_parser = symmetries())]
    pub symmetry: Symmetry,
    /// No given more than the one solution needs.
    #[arg(long, conflicts_with = "grids")]
    pub minimal: bool,
    /// Empty cells in each row, such as 3-8.
    #[arg(long, value_name = "MIN-MAX", conflicts_with = "grids", value_parser = blanks)]
    pub blanks_per_row: Option<Blanks>,
    /// More than one solution is fine.
    #[arg(long, conflicts_with = "grids")]
    pub allow_multiple: bool,
    /// Write the solution beside each puzzle: in the formats line, csv and json.
    #[arg(long, conflicts_with = "grids")]
    pub with_solution: bool,
}
