//! The guide to the schemes agrees with the table of schemes.

use driftlab::schemes::TABLE;
use std::fs;
use std::path::Path;

/// Every scheme has a section of the guide, in the table's order, with the table's equation.
#[test]
fn the_guide_names_every_scheme_with_its_equation() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/guide.md");
    let text = fs::read_to_string(file).unwrap();
    let sections: Vec<&str> = text.split("\n## `").skip(1).collect();
    assert_eq!(sections.len(), TABLE.len());
    for (section, scheme) in sections.iter().zip(TABLE) {
        let info = scheme.info();
        assert!(section.starts_with(&format!("{}`\n", info.key)), "{} is out of order", info.key);
        assert!(section.contains(&format!("\n{}\n", info.equation)), "{} has another equation", info.key);
    }
}
