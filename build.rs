//! Compiles `proto/` with protox, so that no protoc is needed.
use std::path::PathBuf;

const PROTOS: [&str; 4] = [
    "proto/sudoku/v1/grid.proto",
    "proto/sudoku/v1/job.proto",
    "proto/sudoku/v1/sudoku_service.proto",
    "proto/sudoku/v1/job_service.proto",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let descriptors = protox::compile(PROTOS, ["proto"])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptors.bin"), prost::Message::encode_to_vec(&descriptors))?;
    tonic_prost_build::configure().btree_map(".").compile_fds(descriptors)?;
    Ok(())
}
