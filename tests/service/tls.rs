//! TLS on the API's port: who is refused before a call, and certificates replaced while calls go on.

use crate::certificates::{Authority, Files, TLS};
use crate::process::client::{Client, refused};
use crate::process::server::{Server, without_options};
use crate::process::{directory, run};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use sudokud::grpc::proto::v1::{Outcome, SolveRequest};
use tonic::Code;
use tonic::transport::Channel;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Files are looked at each second and taken when two looks agree; a loaded machine needs more.
const RELOADED: Duration = Duration::from_secs(30);

fn start(data: &Path, flags: &[String]) -> Server {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Server::try_start(data, &flags).unwrap_or_else(|refused| panic!("{}: {}", refused.status, refused.log))
}

async fn solves(channel: Channel) -> bool {
    let request = SolveRequest { puzzle: PUZZLE.into(), ..SolveRequest::default() };
    let answer = Client::over(channel, None).sudoku.solve(request).await;
    answer.is_ok_and(|answer| answer.get_ref().outcome() == Outcome::Unique)
}

#[test]
fn plain_connections_and_other_authorities_are_refused() {
    run(async {
        let (authority, other, data) = (Authority::new(), Authority::new(), directory());
        let files = Files::of(&authority);
        let server = start(data.path(), &files.flags(&TLS));
        assert!(solves(authority.connect(server.address(), None).await.expect("TLS")).await);
        assert!(other.connect(server.address(), None).await.is_err(), "a certificate of another authority was taken");
        let plain = Channel::from_shared(format!("http://{}", server.address())).expect("an address");
        if let Ok(channel) = plain.connect().await {
            assert!(!solves(channel).await, "a plain call was answered");
        }
    });
}

#[test]
fn a_client_without_a_good_certificate_gets_no_call_through() {
    run(async {
        let (authority, other, data) = (Authority::new(), Authority::new(), directory());
        let files = Files::of(&authority);
        let flags = files.flags(&[TLS[0], TLS[1], ("tls-client-ca", "ca.pem")]);
        let server = start(data.path(), &flags);
        let ada = authority.client("spiffe://test/ada");
        assert!(solves(authority.connect(server.address(), Some(&ada)).await.expect("TLS")).await);
        let (foreign, expired) = (other.client("spiffe://test/ada"), authority.expired("spiffe://test/ada"));
        for pair in [None, Some(&foreign), Some(&expired)] {
            if let Ok(channel) = authority.connect(server.address(), pair).await {
                assert!(!solves(channel).await, "let in");
            }
        }
    });
}

#[test]
fn a_certificate_is_replaced_without_a_failed_call() {
    run(async {
        let (old, new, data) = (Authority::new(), Authority::new(), directory());
        let files = Files::of(&old);
        let server = start(data.path(), &files.flags(&TLS));
        let channel = old.connect(server.address(), None).await.expect("TLS");
        let calls = tokio::spawn(async move {
            while solves(channel.clone()).await {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        // A pair that does not fit is logged and changes nothing.
        files.write("key.pem", &new.server().key);
        until(|| server.log().contains("not reloaded")).await;
        assert!(solves(old.connect(server.address(), None).await.expect("the old pair")).await);
        files.certify(&new.server());
        until(|| server.log().contains("\"reloaded\"")).await;
        assert!(solves(new.connect(server.address(), None).await.expect("the new pair")).await);
        assert!(old.connect(server.address(), None).await.is_err(), "the old certificate is still shown");
        assert!(!calls.is_finished(), "a call failed");
        calls.abort();
    });
}

#[test]
fn the_command_line_reaches_such_a_server() {
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        let flags = files.flags(&[TLS[0], TLS[1], ("tls-client-ca", "ca.pem")]);
        let server = start(data.path(), &flags);
        let ada = authority.client("spiffe://test/ada");
        files.write("ada.pem", &ada.cert);
        files.write("ada.key", &ada.key);
        let health = |flags: Vec<String>| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sudokud"));
            command.args(["health", "--server", &format!("https://{}", server.address())]).args(flags);
            command.output().expect("the binary runs").status.code()
        };
        let known = [("tls-ca", "ca.pem"), ("tls-client-cert", "ada.pem"), ("tls-client-key", "ada.key")];
        assert_eq!(health(files.flags(&known)), Some(0));
        assert_eq!(health(files.flags(&known[..1])), Some(1));
        assert_eq!(health(vec![]), Some(1));
    });
}

#[test]
fn beyond_loopback_a_server_needs_tls_and_authentication_or_says_that_it_is_insecure() {
    let (authority, data) = (Authority::new(), directory());
    let files = Files::of(&authority);
    let everyone = |more: &[(&str, &str)]| {
        let mut flags = files.flags(more);
        flags.insert(0, "--listen=0.0.0.0:0".to_owned());
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudokud"));
        without_options(&mut command).args(["serve", "--data"]).arg(data.path()).args(flags);
        let out = command.output().expect("the binary runs");
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let (code, told) = everyone(&TLS);
    assert!(code == Some(2) && told.contains("there is no authentication (--tokens or --tls-client-ca)"), "{told}");
    let (code, told) = everyone(&[TLS[0], ("tls-key", "ca.pem"), ("tls-client-ca", "ca.pem")]);
    assert!(code == Some(2) && told.contains("--tls-key: no private key in PEM"), "{told}");
}

async fn until(wanted: impl Fn() -> bool) {
    let waiting = async {
        while !wanted() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(RELOADED, waiting).await.expect("in time");
}

#[test]
fn credentials_are_asked_for_by_a_reason() {
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        files.write("tokens", &format!("sha256:{} ada read\n", "0".repeat(64)));
        let server = start(data.path(), &files.flags(&[TLS[0], TLS[1], ("tokens", "tokens")]));
        let channel = authority.connect(server.address(), None).await.expect("TLS");
        let request = || SolveRequest { puzzle: PUZZLE.into(), ..SolveRequest::default() };
        let missing = Client::over(channel.clone(), None).sudoku.solve(request()).await.expect_err("no token");
        refused(&missing, Code::Unauthenticated, "CREDENTIALS_MISSING");
        let wrong = Client::over(channel, Some("sudokud_0")).sudoku.solve(request()).await.expect_err("no such token");
        refused(&wrong, Code::Unauthenticated, "CREDENTIALS_INVALID");
    });
}
