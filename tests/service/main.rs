//! The real `sudokud` process, over the wire: every call and every refusal, faults that kill it or its clients,
//! fairness, memory, and grpcurl. README.md in the folder above says which fault is tested where.

#[path = "../process/mod.rs"]
mod process;

mod access;
mod aging;
mod cancel;
mod certificates;
mod clients;
mod drain;
mod fairness;
mod generate;
mod grpcurl;
mod jobs;
mod kill;
mod limits;
mod logs;
mod memory;
mod open;
mod puzzles;
mod quotas;
mod renewal;
mod rollout;
mod scrape;
mod silent;
mod solve;
mod takeover;
mod tls;
mod traces;
mod upload;
