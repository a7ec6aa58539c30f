//! The engine over the memory store: the life of jobs as a client sees it.

mod cancels;
mod faults;
mod fixture;
mod generated;
mod rated;
mod results;
mod turns;
mod uploads;
