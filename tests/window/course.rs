//! The course as a page in the documentation.

use driftlab::app::course::Course;
use driftlab::app::course::markdown::course;
use driftlab::workbench::library::tours;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Bytes of all pictures at most.
const MOST_BYTES: usize = 700_000;
/// Mean difference of a picture's values from the kept ones at most, of 255: functions of other machines round otherwise.
const ROUNDING: f64 = 0.5;

fn docs(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/docs")).join(name)
}

fn today() -> Course {
    course("course").expect("a course")
}

/// The page in the documentation is what the command writes from the tours: who changes a tour writes the page anew. It
/// has a picture in each chapter, every picture that it names exists, and no others do.
#[test]
fn the_page_in_the_documentation_is_that_of_the_tours() {
    let course = today();
    let kept = fs::read_to_string(docs("course.md")).expect("a page");
    assert!(course.text == kept, "run: driftlab course --markdown docs/course.md");
    for number in 1..=tours::shipped().expect("tours").len() {
        let own = course.pictures.iter().filter(|picture| picture.name.starts_with(&format!("{number}-")));
        assert!(own.count() > 0, "chapter {number} has a picture");
    }
    let named: BTreeSet<String> = kept
        .split("](course/")
        .skip(1)
        .map(|rest| rest.split_once(')').expect("an end").0.to_owned())
        .collect();
    let files = fs::read_dir(docs("course")).expect("a folder").map(|file| file.expect("a file"));
    let files: BTreeSet<String> =
        files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(named, files);
    assert_eq!(named, course.pictures.iter().map(|picture| picture.name.clone()).collect());
}

/// Every picture shows what the program draws today of the step that it stands at, to a rounding of its colours;
/// together they are small.
#[test]
fn the_pictures_are_those_of_today() {
    let mut bytes = 0;
    for picture in today().pictures {
        let kept = fs::read(docs("course").join(&picture.name)).expect("a picture");
        bytes += kept.len();
        let [kept, drawn] = [kept, picture.draw().expect("a picture")]
            .map(|bytes| image::load_from_memory(&bytes).expect("a picture that can be read").to_rgb8());
        assert_eq!(kept.dimensions(), drawn.dimensions(), "{}", picture.name);
        let values = kept.as_raw().iter().zip(drawn.as_raw());
        let difference: u64 = values.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let mean = difference as f64 / kept.as_raw().len() as f64;
        assert!(mean < ROUNDING, "{}: differs by {mean}: run driftlab course --markdown", picture.name);
        let colors: BTreeSet<[u8; 3]> = drawn.pixels().map(|pixel| pixel.0).collect();
        assert!(colors.len() > 50, "{} is empty: {} colours", picture.name, colors.len());
    }
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
}
