//! [`Cells`]: the candidates of one puzzle, outside of the lanes.

/// A cell's candidates when nothing is known: bit d - 1 for digit d.
pub const ALL: u16 = 0x1ff;

/// The candidates of 81 cells, then zeros, so that three registers of 64 bytes hold a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Cells(pub [u16; 96]);

impl Cells {
    /// No candidates anywhere.
    pub const NONE: Cells = Cells([0; 96]);

    /// What these digits (0 where empty) leave in their own cells.
    #[inline(always)]
    pub fn load(&mut self, digits: &[u8; 81]) {
        for (to, &digit) in self.0.iter_mut().zip(digits) {
            *to = if digit == 0 { ALL } else { 1 << ((digit - 1) & 15) };
        }
    }

    /// The digits, if every cell has one candidate.
    #[inline(always)]
    pub fn digits(&self, out: &mut [u8; 81]) -> bool {
        let mut wrong = 0;
        for (to, &x) in out.iter_mut().zip(&self.0) {
            let less = x.wrapping_sub(1);
            // Negative where empty.
            wrong |= x & less | less & 0x8000;
            *to = 1 + less.count_ones() as u8;
        }
        wrong == 0
    }

    /// How many candidates there are in all.
    #[inline(always)]
    pub fn candidates(&self) -> u32 {
        u32::from(self.0.iter().map(|x| x.count_ones() as u16).sum::<u16>())
    }
}
