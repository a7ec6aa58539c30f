//! `health`: whether a server serves.

use super::args::ServerArgs;
use super::exit::{Ended, Exit};
use super::refusal::refused;
use super::remote::{Remote, call};
use super::say::{note, say};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Runs the command. Whatever keeps a server from serving is a no, not an error.
///
/// # Errors
/// When the address is malformed.
pub async fn run(args: &ServerArgs) -> Ended {
    let remote = match Remote::connect(args).await {
        Ok(remote) => remote,
        Err(failure) if failure.exit == Exit::Usage => return Err(failure),
        Err(failure) => return Ok(no(&failure.message)),
    };
    let request = call(HealthCheckRequest { service: String::new() });
    match HealthClient::new(remote.connection()).check(request).await {
        Ok(answer) if answer.get_ref().status() == ServingStatus::Serving => {
            say("serving")?;
            Ok(Exit::Done)
        }
        Ok(answer) => Ok(no(&format!("the server says {}", answer.get_ref().status().as_str_name()))),
        Err(status) => Ok(no(&refused(&status).message)),
    }
}

fn no(why: &str) -> Exit {
    note(format!("not serving: {why}"));
    Exit::Negative
}
