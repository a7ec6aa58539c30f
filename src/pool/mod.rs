//! OS threads for CPU work, in two lanes: interactive at normal priority, batch at low priority.
//!
//! Must never know where work comes from: it runs closures and steps, counts nothing but itself.

mod batch;
mod cancel;
mod error;
mod fiber;
mod guard;
mod interactive;
mod priority;
mod threads;

pub use cancel::Cancel;
pub use error::TaskError;
pub use fiber::{Fiber, Fibers};
pub use guard::guard;
pub use interactive::Stepwise;
pub use priority::BatchPriority;
pub use threads::{Options, Pool};
