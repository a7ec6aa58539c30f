//! The generated code of `proto/sudoku/v1`, server and client.

use prost::Message;
use prost_types::{FileDescriptorSet, MethodDescriptorProto};

/// Package `sudoku.v1`.
#[expect(clippy::too_many_lines, reason = "generated routers are as long as the services have calls")]
pub mod v1 {
    tonic::include_proto!("sudoku.v1");
}

/// The descriptors of the package, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Every method, as `package.Service/Method`.
pub fn methods() -> Vec<String> {
    methods_that(|_| true)
}

/// Those whose answer is a stream.
pub fn streaming_methods() -> Vec<String> {
    methods_that(MethodDescriptorProto::server_streaming)
}

fn methods_that(wanted: impl Fn(&MethodDescriptorProto) -> bool) -> Vec<String> {
    let set = FileDescriptorSet::decode(DESCRIPTORS).expect("the build wrote valid descriptors");
    let mut names = Vec::new();
    for file in &set.file {
        for service in &file.service {
            let methods = service.method.iter().filter(|method| wanted(method));
            names.extend(methods.map(|method| format!("{}.{}/{}", file.package(), service.name(), method.name())));
        }
    }
    names
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

    #[test]
    fn methods_that_stream() {
        let methods = super::streaming_methods();
        let names = ["SudokuService/SubmitBatch", "JobService/WatchJob", "JobService/StreamResults"];
        assert_eq!(methods.len(), names.len(), "{methods:?}");
        assert!(names.iter().all(|name| methods.contains(&format!("sudoku.v1.{name}"))), "{methods:?}");
    }
}
