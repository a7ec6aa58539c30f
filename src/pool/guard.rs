//! [`guard`]: a panic as a value. The one place where unwinding is caught.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`, turning a panic into its message. For callers that must go on item by item. What `work`
/// borrowed may be half changed after a panic: drop it or overwrite it.
///
/// # Errors
/// The panic's message.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
    })
}

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn gives_the_output_or_the_message() {
        assert_eq!(guard(|| 7), Ok(7));
        assert_eq!(guard(|| panic!("plain")), Err::<(), _>("plain".into()));
        assert_eq!(guard(|| panic!("item {}", 3)), Err::<(), _>("item 3".into()));
        assert_eq!(guard(|| std::panic::panic_any(5u8)), Err::<(), _>("without a message".into()));
    }
}
