//! The generated code of `proto/sudoku/v1`, server and client.

use prost::Message;
use prost_types::FileDescriptorSet;

/// Package `sudoku.v1`.
#[expect(clippy::too_many_lines, reason = "generated routers are as long as the services have calls")]
pub mod v1 {
    tonic::include_proto!("sudoku.v1");
}

/// The descriptors of the package, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Every method, as `package.Service/Method`.
pub fn methods() -> Vec<String> {
    let set = FileDescriptorSet::decode(DESCRIPTORS).expect("the build wrote valid descriptors");
    let services = set.file.iter().flat_map(|file| file.service.iter().map(move |service| (file.package(), service)));
    services
        .flat_map(|(package, service)| {
            service.method.iter().map(move |method| format!("{package}.{}/{}", service.name(), method.name()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn methods_are_named_as_in_a_request_path() {
        let methods = super::methods();
        assert_eq!(methods.len(), 10);
        assert!(methods.contains(&"sudoku.v1.SudokuService/SubmitBatch".to_string()), "{methods:?}");
        assert!(methods.contains(&"sudoku.v1.JobService/DeleteJob".to_string()), "{methods:?}");
    }
}
