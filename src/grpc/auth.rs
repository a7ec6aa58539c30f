//! Whose call it is. The one function to replace when callers get names.

use super::status::Refusal;
use crate::job::Principal;
use tonic::metadata::MetadataMap;

/// The caller of a request with this metadata: for now everyone is anonymous.
///
/// # Errors
/// None yet; a caller without credentials, once there are any.
pub fn principal(_metadata: &MetadataMap) -> Result<Principal, Refusal> {
    Ok(Principal::anonymous())
}
