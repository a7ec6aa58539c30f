//! Kernels: the searches behind `solve` and `batch`. The only folder that may hold `unsafe`; its README tells how the
//! lockstep search works and what was tried.

mod array;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blame;
mod cells;
#[cfg(target_arch = "x86_64")]
mod digits256;
mod dispatch;
#[cfg(target_arch = "x86_64")]
mod extract;
mod fill;
mod heaviest;
mod lanes;
mod pass;
mod plain;
mod pool;
mod search;
mod searcher;
#[cfg(test)]
mod tests;
mod vector;
#[cfg(target_arch = "x86_64")]
mod weigh256;
#[cfg(target_arch = "x86_64")]
mod weigh512;

pub use dispatch::Kernel;
pub use searcher::{Port, Searcher, Tally};
