//! What a stranger reads: examples of everything that a program imports, and links that lead somewhere.

use super::files_below;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names that the prelude gives, without those of other crates.
fn prelude(root: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(root.join("engine/src/prelude.rs")).unwrap();
    let code: String = text.lines().filter(|line| !line.starts_with("//!")).collect();
    let own = code.split(';').filter_map(|line| line.trim().strip_prefix("pub use crate::"));
    let names = own.flat_map(|path| {
        let names =
            path.split_once('{').map_or_else(|| path.rsplit("::").next().unwrap(), |(_, group)| group);
        names.trim_end_matches('}').split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Who looks something up by its name sees how it is used: every item of the prelude has an example where it is declared.
#[test]
fn every_item_of_the_prelude_has_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = prelude(root);
    assert!(names.len() > 30, "only {names:?} found");
    for path in files_below(root.join("engine/src")) {
        let text = fs::read_to_string(&path).unwrap();
        let mut example = false;
        for line in text.lines().map(str::trim_start) {
            let declared = ["pub struct ", "pub enum ", "pub trait ", "pub fn "]
                .iter()
                .find_map(|kind| line.strip_prefix(kind));
            let name = declared.or_else(|| line.strip_suffix(';')).unwrap_or_default();
            let name = name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            if line.starts_with("///") {
                example |= line.starts_with("/// ```");
            } else if !line.starts_with('#') {
                if example {
                    names.remove(name);
                }
                example = false;
            }
        }
    }
    assert!(names.is_empty(), "without an example: {names:?}");
}

/// On the registry's page and in the repository: every relative link of a page leads to a file that exists.
#[test]
fn links_of_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "engine/README.md"].map(|page| root.join(page));
    let docs = ["docs", "evidence/docs"].map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let docs = docs.into_iter().flatten().map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|own| own == "md"));
    let (mut followed, mut lost) = (0, Vec::new());
    for page in pages.into_iter().chain(docs) {
        let text = fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            followed += 1;
            if !page.parent().unwrap().join(file).exists() {
                lost.push(format!("{}: {target}", page.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(followed > 40, "only {followed} links found");
    assert!(lost.is_empty(), "links that lead nowhere: {lost:#?}");
}
