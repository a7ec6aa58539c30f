//! Why bytes are no chunk.

/// Why bytes are no chunk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// Shorter than its own header or body says.
    #[error("{0} bytes are too few for the chunk they announce")]
    Truncated(usize),
    /// Not one of ours.
    #[error("no chunk: the magic is wrong")]
    Magic,
    /// Written by a newer version.
    #[error("chunk format {0} is newer than this program reads")]
    Version(u8),
    /// Its checksum is wrong.
    #[error("the checksum is wrong: the chunk is damaged")]
    Checksum,
    /// A field out of range although the checksum holds.
    #[error("malformed chunk: {0}")]
    Malformed(&'static str),
}
