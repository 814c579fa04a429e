//! `driftlab course`: the tours as a page.

use crate::driftlab;
use driftlab::workbench::library::tours::shipped;
use driftlab::workbench::text::prose::prose;
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

/// The slides have every chapter with its exercises, a slide with the sandbox for every step, its picture behind that if it has
/// one, and the notes of each; their tags are in pairs, and the library that shows them lies beside them with its licence.
#[test]
fn the_course_is_written_as_slides() {
    let folder = tempfile::tempdir().unwrap();
    driftlab().current_dir(folder.path()).args(["course", "--slides"]).assert().code(0).stderr("");
    let text = fs::read_to_string(folder.path().join("slides.html")).unwrap();
    for file in ["reveal.js", "reveal.css", "notes.js", "LICENSE"] {
        assert!(fs::metadata(folder.path().join("reveal").join(file)).unwrap().len() > 500, "{file}");
    }
    let tours = shipped().unwrap();
    let escaped = |text: &str| prose(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let plain = text.replace("&#39;", "'").replace("&quot;", "\"");
    for tour in &tours {
        assert!(plain.contains(&format!("<h2>{}</h2>", escaped(&tour.name))), "{}", tour.name);
        for step in &tour.steps {
            let notes = escaped(step.notes.as_deref().unwrap());
            assert!(plain.contains(&format!("<aside class=\"notes\">{notes}</aside>")), "{notes}");
        }
        for own in &tour.exercises {
            assert!(text.contains(&format!("sandbox.html#exercise={}", own.key)), "{}", own.key);
        }
    }
    let steps: usize = tours.iter().map(|tour| tour.steps.len()).sum();
    assert_eq!(text.matches("<iframe data-src=\"sandbox.html?embed#scene=").count(), steps);
    let pictured = tours.iter().flat_map(|tour| &tour.steps).filter(|step| step.picture.is_some()).count();
    let files = fs::read_dir(folder.path().join("slides")).unwrap();
    let names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!((names.len(), text.matches("<img ").count()), (pictured, pictured));
    for name in names {
        let [_, behind] = text.split(&format!("<img src=\"slides/{name}\" alt=\"")).collect::<Vec<_>>()[..]
        else {
            panic!("{name} is not there once");
        };
        assert!(behind.split_once("\">").unwrap().1.starts_with("<iframe data-src="), "{name}");
    }
    assert_eq!(balance(&text), Vec::<String>::new());
    // Nothing comes from elsewhere.
    assert!(!text.contains("https://") && !text.contains("http://"));
}

/// The tags that are open at the end of a page, or closed out of order.
fn balance(text: &str) -> Vec<String> {
    const EMPTY: [&str; 5] = ["!doctype", "meta", "link", "br", "img"];
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let name: String = rest.chars().take_while(|c| !matches!(c, ' ' | '>' | '\n')).collect();
        match name.strip_prefix('/') {
            Some(closed) if open.last().is_some_and(|own| own == closed) => drop(open.pop()),
            Some(_) => return vec![name],
            None if EMPTY.contains(&name.as_str()) => {}
            None => open.push(name),
        }
    }
    open
}
