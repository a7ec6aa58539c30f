//! Where a payload lies, and what rows say about a whole segment. Plain values; must never know files.

/// Where a payload lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number in its file's name.
    pub segment: u32,
    /// Its first byte in the file.
    pub offset: u64,
    /// How many bytes.
    pub bytes: u32,
}

/// What rows say about one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Its number.
    pub segment: u32,
    /// Bytes that rows name.
    pub live: u64,
    /// Where the last of them ends.
    pub end: u64,
}
