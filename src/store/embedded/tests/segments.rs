//! Segment files: crashes between their writes and the commits, damage to them, and how they come and go.

use super::space::eventually;
use super::*;
use crate::store::embedded::payload::{self as payloads, Damaged, Kind};
use std::sync::atomic::{AtomicBool, Ordering};

const BYTES: usize = 100_000;

/// The job of [`stored`] and its number: the first of its store.
const SEQ: i64 = 1;

fn chunk(n: u32) -> ChunkRef {
    ChunkRef { first_index: n * 10, count: 10 }
}

/// An upload of some chunks of noise, still open.
async fn stored(store: &Embedded, chunks: u32) -> (JobId, u32) {
    let Ok(Created::New(record)) = store.create(solve("a")).await else { panic!("not new") };
    let epoch = store.open_upload(record.id).await.expect("open").epoch;
    for n in 0..chunks {
        put(store, (record.id, epoch), n).await;
    }
    (record.id, epoch)
}

async fn put(store: &Embedded, (job, epoch): (JobId, u32), n: u32) {
    let puts = vec![PutChunk { chunk: chunk(n), payload: noise(n.into(), BYTES) }];
    assert_eq!(store.put_chunks(job, epoch, puts).await, Ok(n * 10 + 10));
}

/// Which of the first chunks are sound; what is read is what was stored, or nothing.
fn sound(store: &Embedded, chunks: u32) -> Vec<u32> {
    let db = open::reader(&store.file).expect("reader");
    (0..chunks).filter(|n| is_sound(store, &db, *n, &noise((*n).into(), BYTES))).collect()
}

fn is_sound(store: &Embedded, db: &rusqlite::Connection, n: u32, want: &Bytes) -> bool {
    let found = payloads::get(db, &store.files, Kind::Input, SEQ, chunk(n)).expect("is read").expect("row");
    assert!(found == Err(Damaged) || found.as_ref() == Ok(want), "chunk {n}");
    found.is_ok()
}

fn named(sizes: &[(u32, u64)]) -> Vec<(String, u64)> {
    sizes.iter().map(|(number, size)| (format!("{number:08}.seg"), *size)).collect()
}

fn size(dir: &Path) -> u64 {
    segments(dir).iter().map(|(_, bytes)| bytes).sum()
}

fn append(file: &Path, bytes: &[u8]) {
    use std::io::Write as _;
    let mut file = std::fs::File::options().create(true).append(true).open(file).expect("file");
    file.write_all(bytes).expect("write");
}

#[tokio::test]
async fn payloads_fill_segments_one_after_the_other() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let upload = stored(&store, 25).await;
    let mut want = named(&[(1, 1_100_032), (2, 1_100_032), (3, 300_032)]);
    assert_eq!(segments(dir.path()), want);
    drop(store);
    let store = open(dir.path());
    let epoch = store.open_upload(upload.0).await.expect("open").epoch;
    put(&store, (upload.0, epoch), 25).await;
    want[2].1 += 100_000;
    assert_eq!(segments(dir.path()), want, "the last one goes on");
    assert_eq!(sound(&store, 26).len(), 26);
    let bytes = store.stats().await.expect("stats").bytes;
    assert!(bytes > 2_600_000 && bytes < 4_000_000, "{bytes}");
    assert_eq!(store.verify().await, Ok(()));
}

#[tokio::test]
async fn a_crash_between_append_and_commit_leaves_nothing() {
    // What a crash left behind in these files.
    let cases: [&[(u32, &[u8])]; 5] = [
        &[(1, &[7; 100_000])],
        &[(1, &[7; 13])],
        &[(2, b"SUDOKSEG")],
        &[(2, &[0; 32])],
        &[(1, &[7; 40]), (2, &[7; 40]), (3, &[])],
    ];
    for left in cases {
        let dir = tempfile::tempdir().expect("dir");
        let store = open(dir.path());
        let (job, _) = stored(&store, 3).await;
        drop(store);
        for (number, bytes) in left {
            append(&segment(dir.path(), *number), bytes);
        }
        let store = open(dir.path());
        assert_eq!(segments(dir.path()), named(&[(1, 300_032)]));
        let epoch = store.open_upload(job).await.expect("open").epoch;
        put(&store, (job, epoch), 3).await;
        drop(store);
        assert_eq!(sound(&open(dir.path()), 4), [0, 1, 2, 3]);
        assert_eq!(size(dir.path()), 400_032);
    }
}

#[tokio::test]
async fn a_group_that_fails_is_cut_off() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let (job, epoch) = stored(&store, 2).await;
    let other = rusqlite::Connection::open(&store.file).expect("second connection");
    let trigger = "CREATE TRIGGER t BEFORE INSERT ON input WHEN NEW.count = 13 BEGIN SELECT RAISE(ABORT, 'no'); END";
    other.execute_batch(trigger).expect("trigger");
    let fails = store.put_chunks(job, epoch, puts(20, 1, 13, BYTES)).await;
    assert_eq!(fails, Err(StoreError::Broken("no".into())));
    assert_eq!(segments(dir.path()), named(&[(1, 200_032)]));
    put(&store, (job, epoch), 2).await;
    assert_eq!(segments(dir.path()), named(&[(1, 300_032)]));
    assert_eq!(sound(&store, 3), [0, 1, 2]);
}

#[tokio::test]
async fn a_damaged_segment_is_lost_as_far_as_it_is_damaged() {
    let write = |file: &Path, at: u64, bytes: &[u8]| {
        use std::os::unix::fs::FileExt;
        std::fs::File::options().write(true).open(file).and_then(|file| file.write_all_at(bytes, at)).expect("write");
    };
    let cut = |file: &Path, length: u64| {
        std::fs::File::options().write(true).open(file).and_then(|file| file.set_len(length)).expect("cut");
    };
    type Harm<'a> = &'a dyn Fn(&Path);
    // What is done to the file of three payloads, and which of them are sound then.
    let cases: [(&str, Harm<'_>, &[u32]); 7] = [
        ("a payload", &|file| write(file, 150_000, &[0; 8]), &[0, 2]),
        ("the magic", &|file| write(file, 0, b"X"), &[0, 1, 2]),
        ("the header's checksum", &|file| write(file, 25, b"X"), &[0, 1, 2]),
        ("the end", &|file| cut(file, 300_031), &[0, 1]),
        ("all but the header", &|file| cut(file, 32), &[]),
        ("all", &|file| cut(file, 0), &[]),
        ("the file", &|file| std::fs::remove_file(file).expect("remove"), &[]),
    ];
    for (what, harm, want) in cases {
        let dir = tempfile::tempdir().expect("dir");
        let store = open(dir.path());
        let (job, _) = stored(&store, 3).await;
        drop(store);
        harm(&segment(dir.path(), 1));
        let store = open(dir.path());
        assert_eq!(sound(&store, 3), want, "{what}");
        let epoch = store.open_upload(job).await.expect("open").epoch;
        put(&store, (job, epoch), 3).await;
        let tail = if what == "a payload" { "00000001.seg" } else { "00000002.seg" };
        assert_eq!(segments(dir.path()).pop().expect("is there").0, tail, "{what}");
        drop(store);
        let store = open(dir.path());
        assert_eq!(sound(&store, 4), [want, &[3]].concat(), "{what}");
        let claims = store.claim(9, usize::MAX, TTL).await.expect("claim");
        let damaged = claims.iter().filter_map(|claim| claim.payload.as_ref().err());
        let lost: Vec<_> = (0..3).filter(|n| !want.contains(n)).collect();
        let named: Vec<_> = lost.iter().map(|n| StoreError::Damaged { job, chunk: chunk(*n) }).collect();
        assert!(damaged.eq(&named), "{what}");
        assert_eq!(store.verify().await, named.first().map_or(Ok(()), |first| Err(first.clone())), "{what}");
        for claim in claims {
            store.release(claim.token).await.expect("release");
        }
        store.cancel(job).await.expect("cancel");
        store.delete(job).await.expect("delete");
        eventually(what, || segments(dir.path()).is_empty()).await;
    }
}

#[tokio::test]
async fn another_stores_segment_is_refused_and_left_alone() {
    let (dir, other_dir) = (tempfile::tempdir().expect("dir"), tempfile::tempdir().expect("dir"));
    for dir in [&dir, &other_dir] {
        stored(&open(dir.path()), 3).await;
    }
    std::fs::copy(segment(other_dir.path(), 1), segment(dir.path(), 1)).expect("copy");
    std::fs::copy(segment(other_dir.path(), 1), segment(dir.path(), 7)).expect("copy");
    let store = open(dir.path());
    assert!(sound(&store, 3).is_empty(), "though the bytes are the same");
    let job = store.list(None, &ListFilter::default(), None, 1).await.expect("list")[0].id;
    let epoch = store.open_upload(job).await.expect("open").epoch;
    put(&store, (job, epoch), 3).await;
    assert_eq!(segments(dir.path()), named(&[(1, 300_032), (7, 300_032), (8, 100_032)]));
    store.cancel(job).await.expect("cancel");
    store.delete(job).await.expect("delete");
    eventually("ours goes", || segments(dir.path()) == named(&[(1, 300_032), (7, 300_032)])).await;
    drop(store);
    open(dir.path());
    assert_eq!(segments(dir.path()), named(&[(1, 300_032), (7, 300_032)]));
}

/// Two uploads by turns, four parts of one to one part of the other; returns the one to delete.
async fn mixed(store: &Embedded, rounds: u32) -> JobId {
    let stays = stored(store, 0).await;
    let Ok(Created::New(record)) = store.create(solve("goes")).await else { panic!("not new") };
    let epoch = store.open_upload(record.id).await.expect("open").epoch;
    for n in 0..rounds {
        put(store, stays, n).await;
        store.put_chunks(record.id, epoch, puts(n * 10, 1, 10, 4 * BYTES)).await.expect("put");
    }
    record.id
}

#[tokio::test]
async fn what_lives_moves_out_of_a_segment_that_is_mostly_dead() {
    let dir = tempfile::tempdir().expect("dir");
    let options = Options { segment_bytes: 1 << 20, input_cache_bytes: 0, ..Options::default() };
    let store = Embedded::open(dir.path(), options, Clock::system()).expect("open");
    let goes = mixed(&store, 40).await;
    let size = || size(dir.path());
    assert!(size() > 20_000_000);
    let payloads: Vec<Bytes> = (0..40).map(|n| noise(n, BYTES)).collect();
    let done = AtomicBool::new(false);
    let rounds = std::thread::scope(|scope| {
        let read = || {
            let db = open::reader(&store.file).expect("reader");
            let mut rounds = 0;
            while !done.load(Ordering::Relaxed) {
                assert!((0..).zip(&payloads).all(|(n, payload)| is_sound(&store, &db, n, payload)));
                rounds += 1;
            }
            rounds
        };
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(read)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime");
        let delete = async {
            store.cancel(goes).await.expect("cancel");
            store.delete(goes).await.expect("delete");
            eventually("the segments are emptied", || size() < 6_500_000).await;
        };
        scope.spawn(move || runtime.block_on(delete)).join().expect("deletes");
        done.store(true, Ordering::Relaxed);
        readers.into_iter().map(|reader| reader.join().expect("reads")).sum::<u32>()
    });
    assert!(rounds >= 6, "{rounds}");
    assert_eq!(store.verify().await, Ok(()));
    drop(store);
    let store = open(dir.path());
    assert_eq!(sound(&store, 40).len(), 40);
    assert!(size() < 6_500_000);
}

#[tokio::test]
async fn emptying_goes_on_after_a_crash_and_around_damage() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let goes = mixed(&store, 12).await;
    store.cancel(goes).await.expect("cancel");
    store.delete(goes).await.expect("delete");
    drop(store);
    // Of the first segment some payloads are gone, and of the second one a payload is not what it was.
    let harmed: Vec<_> =
        segments(dir.path()).into_iter().map(|(name, _)| dir.path().join(open::SEGMENTS).join(name)).collect();
    let file = std::fs::File::options().write(true).open(&harmed[0]).expect("open");
    file.set_len(32).expect("cut");
    let before = sound(&open(dir.path()), 12);
    let live = (12 * BYTES) as u64;
    let store = open(dir.path());
    let size = || size(dir.path());
    eventually("the others are emptied", || size() < 2 * live + (1 << 20)).await;
    assert_eq!(sound(&store, 12), before);
    assert!(before.len() < 12 && before.len() > 6, "{before:?}");
}
