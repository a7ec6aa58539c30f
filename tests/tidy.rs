//! The shape of the code, checked: layers, import circles, file length, module docs, where `unsafe` may stand,
//! the purity of the core, and which external crate may be named where. Each rule is proven by a planted violation.

#[path = "tidy/planted.rs"]
mod planted;
#[path = "tidy/rules.rs"]
mod rules;
#[path = "tidy/source.rs"]
mod source;

use source::Tree;

#[test]
fn the_tree_is_tidy() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let tree = Tree::read(root).expect("the sources");
    assert!(tree.files.len() > 10, "found only {} files under {root}", tree.files.len());
    let findings = rules::check(&tree);
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}
