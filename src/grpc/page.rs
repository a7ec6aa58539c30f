//! Page tokens: where a listing goes on, bound to the filter that it began with.

use super::status::Refusal;
use crate::job::{JobId, Timestamp};
use crate::store::{ListAfter, ListFilter};
use std::fmt::Write;

/// Version, creation time, id, checksum.
const BYTES: usize = 1 + 8 + 16 + 4;
/// Raised when the layout changes, so that a token of before is refused by name.
const VERSION: u8 = 1;

/// The token for the page after this job.
pub fn write(after: ListAfter, filter: &ListFilter) -> String {
    let mut bytes = Vec::with_capacity(BYTES);
    bytes.push(VERSION);
    bytes.extend(after.created.0.to_be_bytes());
    bytes.extend(after.id.as_bytes());
    bytes.extend(checksum(&bytes, filter).to_be_bytes());
    bytes.iter().fold(String::with_capacity(2 * BYTES), |mut text, byte| {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Reads a token.
///
/// # Errors
/// When it is none of ours, or was given for another filter.
pub fn read(token: &str, filter: &ListFilter) -> Result<ListAfter, Refusal> {
    let wrong = || {
        let problem = "is not one of this listing: pass next_page_token unchanged, with the same states and labels";
        Refusal::invalid("page_token", problem)
    };
    let bytes = unhex(token).ok_or_else(wrong)?;
    let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(wrong)?;
    let (&version, rest) = body.split_first().ok_or_else(wrong)?;
    if version != VERSION || u32::from_be_bytes(*sum) != checksum(body, filter) {
        return Err(wrong());
    }
    let (created, rest) = rest.split_first_chunk::<8>().ok_or_else(wrong)?;
    let (id, _) = rest.split_first_chunk::<16>().ok_or_else(wrong)?;
    Ok(ListAfter { created: Timestamp(u64::from_be_bytes(*created)), id: JobId::from_bytes(*id) })
}

fn unhex(token: &str) -> Option<[u8; BYTES]> {
    let digits = token.as_bytes();
    let mut bytes = [0; BYTES];
    if digits.len() != 2 * BYTES {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let half = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
        *byte = half(pair[0])? << 4 | half(pair[1])?;
    }
    Some(bytes)
}

/// Over the token's body and the filter, lengths included, so that no two filters read alike.
fn checksum(body: &[u8], filter: &ListFilter) -> u32 {
    let mut states: Vec<u8> = filter.states.iter().map(|&state| state as u8).collect();
    states.sort_unstable();
    states.dedup();
    let mut labels = filter.labels.clone();
    labels.sort_unstable();
    let mut sum = crc32c::crc32c_append(crc32c::crc32c(body), &states);
    for text in labels.iter().flat_map(|(key, value)| [key, value]) {
        sum = crc32c::crc32c_append(sum, &text.len().to_be_bytes());
        sum = crc32c::crc32c_append(sum, text.as_bytes());
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::JobState;

    #[test]
    fn tokens_come_back_only_whole_and_with_their_filter() {
        let after = ListAfter { created: Timestamp(1_700_000_000_123), id: JobId::from_bytes([9; 16]) };
        let label = |key: &str, value: &str| (key.to_string(), value.to_string());
        let filter = ListFilter { states: vec![JobState::Queued, JobState::Running], labels: vec![label("a", "b")] };
        let token = write(after, &filter);
        assert_eq!(read(&token, &filter).expect("ours"), after);
        let reordered = ListFilter { states: vec![JobState::Running, JobState::Queued], ..filter.clone() };
        assert_eq!(read(&token, &reordered).expect("the same filter"), after);

        let other = ListFilter { labels: vec![label("ab", "")], ..filter.clone() };
        let mut flipped = token.clone().into_bytes();
        flipped[5] ^= 1;
        let flipped = String::from_utf8(flipped).expect("ASCII");
        for (token, filter) in [
            (token.as_str(), &ListFilter::default()),
            (token.as_str(), &other),
            (flipped.as_str(), &filter),
            (&token[2..], &filter),
            ("", &filter),
            ("zz", &filter),
            ("é", &filter),
        ] {
            let refused = read(token, filter).expect_err(token);
            assert!(refused.to_string().starts_with("page_token: "), "{refused}");
        }
    }
}
