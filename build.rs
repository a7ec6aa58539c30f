//! Compiles `proto/` with protox, so that no protoc is needed.
use std::path::PathBuf;

const PROTOS: [&str; 4] = [
    "proto/sudoku/v1/grid.proto",
    "proto/sudoku/v1/job.proto",
    "proto/sudoku/v1/sudoku_service.proto",
    "proto/sudoku/v1/job_service.proto",
];

/// Message and field.
const BULK: [(&str, &str); 3] = [("PuzzleBlock", "text"), ("ResultBlock", "grids"), ("ResultBlock", "puzzles")];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let mut descriptors = protox::compile(PROTOS, ["proto"])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptors.bin"), prost::Message::encode_to_vec(&descriptors))?;
    bulk_as_bytes(&mut descriptors);
    tonic_prost_build::configure().btree_map(".").bytes(".").compile_fds(descriptors)?;
    Ok(())
}

/// Makes the texts of whole blocks `Bytes` in Rust: a string has the same form on the wire, but would be copied out of
/// the message and checked as a whole. Each line is checked when it is read.
fn bulk_as_bytes(descriptors: &mut prost_types::FileDescriptorSet) {
    for message in descriptors.file.iter_mut().flat_map(|file| &mut file.message_type) {
        let name = message.name().to_owned();
        for field in &mut message.field {
            if BULK.contains(&(name.as_str(), field.name())) {
                field.set_type(prost_types::field_descriptor_proto::Type::Bytes);
            }
        }
    }
}
