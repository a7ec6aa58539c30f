//! The contract of all stores.

use super::*;
use crate::store::conformance::{Durable, Harness, WINDOW, conformance_tests, durability_tests};

struct OnDisk {
    store: Option<Arc<Embedded>>,
    clock: Clock,
    dir: tempfile::TempDir,
}

impl OnDisk {
    fn open(dir: tempfile::TempDir, clock: Clock) -> OnDisk {
        let options = Options { window: WINDOW, ..Options::default() };
        let store = Embedded::open(dir.path(), options, clock.clone()).expect("open");
        OnDisk { store: Some(Arc::new(store)), clock, dir }
    }
}

impl Harness for OnDisk {
    async fn fresh() -> OnDisk {
        let dir = tempfile::tempdir().expect("dir");
        OnDisk::open(dir, Clock::manual(Timestamp(1_700_000_000_000)))
    }

    fn store(&self) -> Arc<dyn JobStore> {
        self.store.clone().expect("open until the crash")
    }

    fn clock(&self) -> &Clock {
        &self.clock
    }
}

impl Durable for OnDisk {
    async fn crash(mut self) -> OnDisk {
        let store = Arc::into_inner(self.store.take().expect("open until the crash"));
        drop(store.expect("nobody else uses a store that crashes"));
        OnDisk::open(self.dir, self.clock)
    }
}

conformance_tests!(OnDisk);
durability_tests!(OnDisk);
