//! Tests of the lockstep kernels from within: each on every vector that this machine has.

mod asked;
mod pass;
mod pool;
mod slow;
mod support;
mod vector;
mod weigh;
