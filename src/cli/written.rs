//! A job's results as text: solved or generated grids, puzzles, ratings.

use super::args::Form;
use super::exit::Failure;
use super::output::Output;
use super::pairs::{self, PairWriter};
use super::rate::Row;
use super::rows;
use crate::grpc::proto::v1::{self, batch_spec::Work};
use crate::sudoku::text::Format;
use crate::sudoku::{Grid, Outcome};

/// The result of one item.
pub struct Item<'a> {
    /// Its index in the job.
    pub index: u32,
    /// What became of it; `None`: it was not run.
    pub outcome: Option<Outcome>,
    /// Its grid, where the outcome shows one: a solution, or what was generated.
    pub grid: Option<Grid>,
    /// The solution of a generated puzzle.
    pub solution: Option<Grid>,
    /// Its rating, where it has one.
    pub rating: Option<Row>,
    /// Why it is INVALID or FAILED.
    pub error: Option<&'a v1::ItemError>,
}

/// Items as text, written in blocks.
pub struct Written {
    form: Shape,
    text: Vec<u8>,
}

enum Shape {
    Grids(PairWriter),
    Ratings(Form),
}

/// Bytes of text gathered before they are written.
const WRITE_BYTES: usize = 256 << 10;

impl Written {
    /// A file of a job's results that begins with this item.
    ///
    /// # Errors
    /// When such results can't be written so.
    pub fn new(work: Option<&Work>, format: Format, with_solution: bool, first_index: u32) -> Result<Written, Failure> {
        let form = match (work, format) {
            (Some(Work::Rate(_)), _) if with_solution => {
                return Err(Failure::usage("--with-solution: ratings have none"));
            }
            (Some(Work::Rate(_)), Format::Line) => Shape::Ratings(Form::Text),
            (Some(Work::Rate(_)), Format::Json) => Shape::Ratings(Form::Json),
            (Some(Work::Rate(_)), _) => {
                return Err(Failure::usage(format!("--format {format}: ratings are written as line or json")));
            }
            _ => {
                pairs::check(format, with_solution)?;
                Shape::Grids(PairWriter::new(format, with_solution, first_index.into()))
            }
        };
        Ok(Written { form, text: Vec::new() })
    }

    /// Adds an item.
    ///
    /// # Errors
    /// When the output fails.
    pub fn item(&mut self, item: &Item<'_>, output: &mut Output) -> Result<(), Failure> {
        match &mut self.form {
            Shape::Grids(writer) => {
                writer.item(item.outcome, item.grid.as_ref(), item.solution.as_ref(), &mut self.text);
            }
            Shape::Ratings(form) => {
                rows::line(*form, item.index.into(), item.outcome, item.rating.as_ref(), &mut self.text)?;
            }
        }
        if self.text.len() < WRITE_BYTES { Ok(()) } else { self.flush(output) }
    }

    /// Writes what is gathered.
    ///
    /// # Errors
    /// When the output fails.
    pub fn flush(&mut self, output: &mut Output) -> Result<(), Failure> {
        let written = output.write(&self.text);
        self.text.clear();
        written
    }
}
