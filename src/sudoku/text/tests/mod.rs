//! Tests of the text forms against each other.

mod files;
mod fixture;
mod one_bad;
mod one_good;
mod properties;
