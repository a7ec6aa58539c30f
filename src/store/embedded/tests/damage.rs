//! Files that were changed under the store, or are not its own.

use super::*;
use rusqlite::Connection;

/// Flips one bit in the middle of the only place in a file where these bytes are.
fn flip(file: &Path, bytes: &[u8]) {
    let mut text = std::fs::read(file).expect("read");
    let part = &bytes[bytes.len() / 2..][..200];
    let places: Vec<usize> = (0..text.len() - part.len()).filter(|at| text[*at..].starts_with(part)).collect();
    let [place] = places[..] else { panic!("found at {places:?}") };
    text[place + 7] ^= 4;
    std::fs::write(file, text).expect("write");
}

#[tokio::test]
async fn a_damaged_payload_is_lost_alone() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let Ok(Created::New(record)) = store.create(solve("a")).await else { panic!("not new") };
    let (job, epoch) = (record.id, store.open_upload(record.id).await.expect("open").epoch);
    let chunk = |n: u32| ChunkRef { first_index: n * 10, count: 10 };
    let puts = (0..6).map(|n| PutChunk { chunk: chunk(n), payload: noise(n.into(), 1_000) }).collect();
    store.put_chunks(job, epoch, puts).await.expect("put");
    for n in 0..3 {
        let claim = claim_one(&store).await;
        let stored = store.complete(claim.token, unique(10), noise(100 + n, 70_000)).await;
        assert_eq!(stored, Ok(Completion::Stored));
    }
    store.close().await.expect("close");
    flip(&segment(dir.path(), 1), &noise(101, 70_000));
    flip(&dir.path().join(open::FILE), &noise(4, 1_000));

    let store = open(dir.path());
    let damaged = |n| StoreError::Damaged { job, chunk: chunk(n) };
    for n in [0, 2] {
        let result = store.next_result(job, n * 10, TTL).await;
        assert!(matches!(result, Ok(NextResult::Chunk(at, _)) if at == chunk(n)), "{result:?}");
    }
    assert_eq!(store.next_result(job, 15, TTL).await.map(drop), Err(damaged(1)));
    let claims = store.claim(9, usize::MAX, TTL).await.expect("claim");
    let payloads: Vec<_> = claims.into_iter().map(|claim| claim.payload).collect();
    assert_eq!(payloads, [Ok(noise(3, 1_000)), Err(damaged(4)), Ok(noise(5, 1_000))]);
    assert_eq!(store.verify().await, Err(damaged(4)), "inputs are looked at first");
}

#[tokio::test]
async fn files_of_others_are_refused_by_name() {
    // What is done to the database, and what the refusal says.
    let cases = [
        ("UPDATE meta SET value = 99 WHERE key = 'format'", "has format 99, but this program knows formats up to 3"),
        ("PRAGMA application_id = 77", "is a database of another program (application id 0x4d)"),
    ];
    for (sql, says) in cases {
        let dir = tempfile::tempdir().expect("dir");
        open(dir.path()).close().await.expect("close");
        let file = dir.path().join(open::FILE);
        Connection::open(&file).and_then(|db| db.execute_batch(sql)).expect("change");
        let before = std::fs::read(&file).expect("read");
        let refused = Embedded::open(dir.path(), Options::default(), Clock::system()).expect_err(says).to_string();
        assert!(refused.contains(says) && refused.contains(&file.display().to_string()), "{refused}");
        assert_eq!(std::fs::read(&file).expect("read"), before, "nothing was changed");
    }
}

#[tokio::test]
async fn a_broken_structure_is_refused_by_name() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    job_with(&store, "a", 50, 30_000).await;
    store.close().await.expect("close");
    let file = dir.path().join(open::FILE);
    // As after a crash, so that the structure is checked.
    let sql = "UPDATE meta SET value = 0 WHERE key = 'clean'";
    let root = Connection::open(&file)
        .and_then(|db| {
            db.execute_batch(sql)?;
            db.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'input'", [], |row| row.get::<_, i64>(0))
        })
        .expect("root page");
    let sound = std::fs::read(&file).expect("read");
    let mut text = sound.clone();
    let page = schema::PAGE_BYTES as usize;
    text[(root as usize - 1) * page..][..64].fill(0xff);
    std::fs::write(&file, &text).expect("write");
    let refuse = || Embedded::open(dir.path(), Options::default(), Clock::system()).expect_err("broken").to_string();
    let refused = refuse();
    assert!(refused.contains(&format!("{} is damaged: ", file.display())), "{refused}");

    std::fs::write(&file, "not a database at all, but long enough to be looked at".repeat(50)).expect("write");
    let refused = refuse();
    assert!(refused.contains("is damaged: file is not a database"), "{refused}");

    std::fs::write(&file, &sound).expect("write");
    assert_eq!(open(dir.path()).verify().await, Ok(()));
}
