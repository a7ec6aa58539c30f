//! A server to talk to: the generated clients, and how long its outages are borne.

use super::args::ServerArgs;
use super::connect::{Connection, Door};
use super::exit::Failure;
use super::retry::{Patience, Retry};
use crate::grpc::proto::v1::job_service_client::JobServiceClient;
use crate::grpc::proto::v1::sudoku_service_client::SudokuServiceClient;
use std::time::Duration;
use tonic::{Request, Status};

/// How long a unary call may take.
const CALL: Duration = Duration::from_secs(30);
/// Largest message taken from a server.
const MESSAGE: usize = 64 << 20;

/// A connection to a server.
#[derive(Clone, Debug)]
pub struct Remote {
    connection: Connection,
    patience: Patience,
}

impl Remote {
    /// Connects, at once or not at all.
    ///
    /// # Errors
    /// When the address is malformed, a file is no use, or nobody answers there.
    pub async fn connect(args: &ServerArgs) -> Result<Remote, Failure> {
        Remote::hold(args, Patience::default()).await
    }

    /// Connects, with so much patience now and later.
    ///
    /// # Errors
    /// As [`Remote::connect`].
    pub async fn hold(args: &ServerArgs, patience: Patience) -> Result<Remote, Failure> {
        let door = Door::new(args)?;
        let mut retry = Retry::new(if patience.from_the_start { patience.outage } else { Duration::ZERO });
        loop {
            match door.open().await {
                Ok(connection) => return Ok(Remote { connection, patience }),
                Err(closed) if closed.may_open => retry.pause(closed.failure, Duration::ZERO).await?,
                Err(closed) => return Err(closed.failure),
            }
        }
    }

    /// The connection itself.
    pub fn connection(&self) -> Connection {
        self.connection.clone()
    }

    /// For calls that are tried again.
    pub fn retry(&self) -> Retry {
        Retry::new(self.patience.outage)
    }

    /// The client of `JobService`.
    pub fn jobs(&self) -> JobServiceClient<Connection> {
        JobServiceClient::new(self.connection()).max_decoding_message_size(MESSAGE)
    }

    /// The client of `SudokuService`.
    pub fn sudoku(&self) -> SudokuServiceClient<Connection> {
        SudokuServiceClient::new(self.connection()).max_decoding_message_size(MESSAGE)
    }
}

/// A unary call's message, with a deadline.
pub fn call<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(CALL);
    request
}

/// Why a stream ended before its end.
pub enum Stop {
    /// The server refused, or the connection broke.
    Broken(Status),
    /// Something of ours, or an answer that makes no sense.
    Failed(Failure),
}

impl From<Status> for Stop {
    fn from(status: Status) -> Stop {
        Stop::Broken(status)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(failure)
    }
}
