//! Tests of all techniques and of ratings.

mod cases;
mod rated;
mod sound;
mod support;
