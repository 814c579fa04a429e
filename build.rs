//! Scenes and tours are embedded by folder: a file added there must rebuild the crate.

fn main() {
    println!("cargo::rerun-if-changed=scenes");
    println!("cargo::rerun-if-changed=assets");
}
