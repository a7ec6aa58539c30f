//! Request ids and resuming: the same job again, a conflict, an older stream fenced, a stream left and taken up.

use crate::process::batch::{Batch, Checked, generate_spec, read_to_its_status, solve_spec};
use crate::process::client::{refused, refused_field};
use crate::process::puzzles;
use crate::process::{directory, run, serve};
use sudokud::grpc::proto::v1::{BatchSpec, GridFamily, JobState, Priority};
use tonic::Code;

#[test]
fn a_newer_stream_takes_over_and_the_older_is_aborted() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut old = Batch::open(&mut client, solve_spec("t")).await.expect("a job");
        assert!(old.upload.items(0..1_000).await);
        old.answers.until_stored(1_000, &mut Checked::mixed(0)).await.expect("acknowledged");
        let mut new = Batch::open(&mut client, solve_spec("t")).await.expect("the same job");
        assert_eq!((new.job_id(), new.next_index), (old.job_id(), 1_000));
        // The older stream learns of it at the latest when it writes again; nothing of that is stored.
        old.upload.text(&puzzles::text(5_000..5_100)).await;
        refused(
            &read_to_its_status(&mut old.answers, &mut Checked::mixed(0)).await,
            Code::Aborted,
            "UPLOAD_TAKEN_OVER",
        );
        assert!(new.upload.items(1_000..2_000).await && new.upload.finish(Some(2_000)).await);
        let mut checked = Checked::mixed(0);
        let job = new.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!((checked.next, job.state()), (2_000, JobState::Succeeded));
    });
}

#[test]
fn the_older_stream_is_aborted_though_the_newer_has_finished() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut old = Batch::open(&mut client, solve_spec("t")).await.expect("a job");
        assert!(old.upload.items(0..1).await);
        old.answers.until_stored(1, &mut Checked::mixed(0)).await.expect("acknowledged");
        let mut new = Batch::open(&mut client, solve_spec("t")).await.expect("the same job");
        assert!(new.upload.finish(Some(1)).await);
        new.answers.read_to_end(&mut Checked::mixed(0)).await.expect("the stream ends well");
        old.upload.text(&puzzles::text(1..3)).await;
        old.upload.finish(Some(3)).await;
        refused(
            &read_to_its_status(&mut old.answers, &mut Checked::mixed(0)).await,
            Code::Aborted,
            "UPLOAD_TAKEN_OVER",
        );
    });
}

#[test]
fn a_taken_over_upload_needs_to_say_where_its_blocks_belong() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        drop(Batch::open(&mut client, solve_spec("t")).await.expect("a job"));
        let mut batch = Batch::open(&mut client, solve_spec("t")).await.expect("the same job");
        batch.upload.text(&puzzles::text(0..10)).await;
        let status = read_to_its_status(&mut batch.answers, &mut Checked::mixed(0)).await;
        refused_field(&status, "INVALID_FIELD", "block.first_index", "item 0");
    });
}

#[test]
fn the_same_request_is_the_same_job_and_another_spec_is_refused() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut first = Batch::open(&mut client, solve_spec("same")).await.expect("a job");
        assert!(first.upload.items(0..500).await && first.upload.finish(None).await);
        let done = first.answers.read_to_end(&mut Checked::mixed(0)).await.expect("the stream ends well");

        let mut again = Batch::open(&mut client, solve_spec("same")).await.expect("the same job");
        assert_eq!((again.job_id(), again.next_index), (done.job_id.clone(), 500));
        let mut checked = Checked::mixed(0);
        // Sealing again is a repeat, if the answer has not ended before it.
        again.upload.finish(Some(500)).await;
        assert_eq!(again.answers.read_to_end(&mut checked).await.expect("the results again"), done);
        assert_eq!(checked.next, 500);

        let mut late = Batch::open_from(&mut client, solve_spec("same"), 300).await.expect("the same job");
        let mut checked = Checked::mixed(300);
        late.answers.read_to_end(&mut checked).await.expect("the results from there");
        assert_eq!(checked.next, 500);

        let other = BatchSpec { priority: Priority::Low.into(), ..solve_spec("same") };
        let status = Batch::open(&mut client, other).await.err().expect("another spec");
        refused(&status, Code::AlreadyExists, "REQUEST_ID_TAKEN");
        assert!(status.message().contains("same") && status.message().contains(&done.job_id), "{status:?}");
    });
}

#[test]
fn an_unset_seed_equals_an_unset_seed_alone() {
    let spec = |seed| generate_spec("g", GridFamily::Orbit, 100, seed);
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let first = Batch::open(&mut client, spec(None)).await.expect("a job").job_id();
        let again = Batch::open(&mut client, spec(None)).await.expect("the same job").job_id();
        assert_eq!(first, again);
        let status = Batch::open(&mut client, spec(Some(1))).await.err().expect("another spec");
        refused(&status, Code::AlreadyExists, "REQUEST_ID_TAKEN");
    });
}

#[test]
fn request_ids_may_be_any_text_of_their_length() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let ids = ["1", &"x".repeat(128), "Übung / 'Nr. 1' \u{0} \"% _", "a", "A", "a "];
        let mut jobs = std::collections::HashSet::new();
        for id in ids {
            let batch = Batch::open(&mut client, solve_spec(id)).await.expect("a job");
            assert_eq!(batch.answers.job.spec.as_ref().expect("a spec").request_id, id);
            assert!(jobs.insert(batch.job_id()), "{id:?} is another's");
        }
    });
}
