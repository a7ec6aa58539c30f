//! SudokuService: calls answered at once, and the door to batches.

use super::edge::Edge;
use super::proto::v1;
use super::pull;
use super::status::Refusal;
use super::{batch, decode, encode, steps};
use crate::engine::Explain;
use crate::job::GenerateSpec;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

/// The calls about grids.
pub struct Sudoku {
    edge: Edge,
}

impl Sudoku {
    /// Over an engine.
    pub fn new(edge: Edge) -> Sudoku {
        Sudoku { edge }
    }

    async fn solve_one(&self, request: Request<v1::SolveRequest>) -> Result<v1::SolveResponse, Refusal> {
        let caller = self.edge.caller(&request)?;
        let engine = &self.edge.engine;
        let (puzzle, limits) = decode::solve(request.get_ref(), engine.options())?;
        let (answer, elapsed) = caller.bounds.run_unary(engine.compute().solve(puzzle, limits)).await?;
        Ok(encode::solved(&answer, elapsed))
    }

    async fn explain_one(&self, request: Request<v1::ExplainRequest>) -> Result<v1::ExplainResponse, Refusal> {
        let caller = self.edge.caller(&request)?;
        let engine = &self.edge.engine;
        let (puzzle, max_steps) = decode::explain(request.get_ref())?;
        let task =
            Explain { puzzle, max_steps, node_limit: engine.options().solve_node_limit, until: caller.bounds.enough() };
        Ok(steps::explained(&caller.bounds.run_unary(engine.compute().explain(task)).await?))
    }

    async fn generate_some(&self, request: Request<v1::GenerateRequest>) -> Result<v1::GenerateResponse, Refusal> {
        let caller = self.edge.caller(&request)?;
        let (spec, count, seed) = decode::generate(request.get_ref())?;
        let seed = seed.unwrap_or_else(draw_seed);
        let (compute, bounds) = (self.edge.engine.compute(), &caller.bounds);
        let items = match spec {
            GenerateSpec::Grids(spec) => {
                let grids = bounds.run_unary(compute.generate(spec, count, seed)).await?;
                grids.iter().map(encode::generated_grid).collect()
            }
            GenerateSpec::Puzzles { puzzles: spec } => {
                let puzzles = bounds.run_unary(compute.generate_puzzles(spec, count, seed)).await?;
                puzzles.iter().map(encode::generated_puzzle).collect()
            }
        };
        Ok(encode::generated(items, seed))
    }
}

/// 64 random bits: each half of a random UUID has fixed bits where the other has none.
fn draw_seed() -> u64 {
    let (high, low) = Uuid::new_v4().as_u64_pair();
    high ^ low
}

#[tonic::async_trait]
impl v1::sudoku_service_server::SudokuService for Sudoku {
    async fn solve(&self, request: Request<v1::SolveRequest>) -> Result<Response<v1::SolveResponse>, Status> {
        Ok(Response::new(self.solve_one(request).await?))
    }

    async fn generate(&self, request: Request<v1::GenerateRequest>) -> Result<Response<v1::GenerateResponse>, Status> {
        Ok(Response::new(self.generate_some(request).await?))
    }

    async fn explain(&self, request: Request<v1::ExplainRequest>) -> Result<Response<v1::ExplainResponse>, Status> {
        Ok(Response::new(self.explain_one(request).await?))
    }

    type SubmitBatchStream = BoxStream<v1::SubmitBatchResponse>;

    async fn submit_batch(
        &self,
        request: Request<Streaming<v1::SubmitBatchRequest>>,
    ) -> Result<Response<Self::SubmitBatchStream>, Status> {
        Ok(Response::new(pull::stream(batch::open(&self.edge, request).await?)))
    }
}
