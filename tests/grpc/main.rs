//! The API over real connections: a server of its own for each test, generated clients.

mod batch;
mod jobs;
mod puzzles;
mod ratings;
mod resume;
mod rig;
mod server;
mod stream;
mod unary;
