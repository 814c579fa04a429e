//! Scenes and tours are embedded by folder: a file added there must rebuild the crate. The address of the published
//! page stands in `Cargo.toml` and reaches the program as the environment variable `DRIFTLAB_PAGE` of its compilation.

/// Where `Cargo.toml` says the address: a table, and a line in it.
const TABLE: &str = "[package.metadata.page]";
const KEY: &str = "address = ";

fn main() {
    println!("cargo::rerun-if-changed=scenes");
    println!("cargo::rerun-if-changed=assets");
    println!("cargo::rerun-if-changed=Cargo.toml");
    let manifest = std::fs::read_to_string("Cargo.toml").unwrap_or_default();
    let table = manifest.lines().map(str::trim).skip_while(|line| *line != TABLE).skip(1);
    let mut lines = table.take_while(|line| !line.starts_with('['));
    let address = lines.find_map(|line| line.strip_prefix(KEY)).map(|text| text.trim_matches('"'));
    match address.filter(|address| address.starts_with("https://")) {
        Some(address) => println!("cargo::rustc-env=DRIFTLAB_PAGE={address}"),
        None => println!("cargo::error=Cargo.toml: {TABLE}: expected {KEY}\"https://…\""),
    }
}
