//! `driftlab course`: the tours as a page.

use crate::driftlab;
use std::fs;

/// The command writes the page of the documentation, with its pictures in the folder that has the page's name, and the
/// page of the sandbox beside it; without a file to write it says which options there are.
#[test]
fn the_course_is_written_as_markdown_and_as_html() {
    let folder = tempfile::tempdir().unwrap();
    let [page, html] = ["course.md", "course.html"].map(|name| folder.path().join(name));
    driftlab()
        .args(["course", "--markdown"])
        .arg(&page)
        .arg("--out")
        .arg(&html)
        .assert()
        .code(0)
        .stderr("");
    let kept = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/course.md")).unwrap();
    assert!(fs::read_to_string(&page).unwrap() == kept);
    let pictures = fs::read_dir(folder.path().join("course")).unwrap().count();
    assert_eq!(pictures, kept.matches("](course/").count());
    assert!(fs::read_to_string(&html).unwrap().contains("</html>"));
    let refused = driftlab().arg("course").assert().failure();
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("--out") && said.contains("--markdown"), "{said}");
}
