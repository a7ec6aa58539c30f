//! Kernels: the searches behind `solve` and `batch`. The only folder that may hold `unsafe`.

mod bands;
mod blame;
mod branch;
pub mod dispatch;
pub mod engine;
mod lanes;
mod layout;
mod portable;
pub mod step;

pub use dispatch::Kernel;
