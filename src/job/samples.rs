//! Specs for tests: the usual ones, and what a server puts where they say nothing.

use super::chunk::MAX_JOB_ITEMS;
use super::spec::{
    BatchSpec, GenerateSpec, GenerateWork, Priority, RateWork, ResultFormat, ResultMode, SolveWork, SpecDefaults, Work,
};
use crate::sudoku::generate::{CompleteSpec, Family};
use std::collections::BTreeMap;

pub(super) const DEFAULTS: SpecDefaults = SpecDefaults {
    node_limit: 1_000,
    time_to_live_s: 60,
    max_time_to_live_s: 3_600,
    max_job_items: MAX_JOB_ITEMS,
    seed: 7,
    generator_version: 3,
};

pub(super) fn spec(work: Work) -> BatchSpec {
    BatchSpec {
        work,
        result_mode: ResultMode::default(),
        result_format: ResultFormat::default(),
        priority: Priority::default(),
        time_to_live_s: None,
        labels: BTreeMap::new(),
    }
}

pub(super) fn solve(max_solutions: u8, node_limit: Option<u64>) -> BatchSpec {
    spec(Work::Solve(SolveWork { max_solutions, node_limit }))
}

pub(super) fn rate(node_limit: Option<u64>) -> BatchSpec {
    spec(Work::Rate(RateWork { node_limit }))
}

pub(super) fn generate(first_cell: u8, family: Family, count: u32) -> BatchSpec {
    let spec_of_grids = GenerateSpec::Grids(CompleteSpec { first_cell, family });
    spec(Work::Generate(GenerateWork { spec: spec_of_grids, count, seed: None, generator_version: None }))
}
