//! `driftlab course`: writes the tours as a page, with the live sandbox in every step or with pictures, and as slides.

use super::arguments::CourseArguments;
use super::failure::Failure;
use crate::app::course;
use crate::files::replace;
use std::fs;
use std::path::Path;

/// The folder of reveal.js beside the slides, and its files, as its authors publish them: version 5.2.1.
const REVEAL: &str = "reveal";
const LIBRARY: [(&str, &str); 4] = [
    ("reveal.js", include_str!("../../assets/course/reveal/reveal.js")),
    ("reveal.css", include_str!("../../assets/course/reveal/reveal.css")),
    ("notes.js", include_str!("../../assets/course/reveal/notes.js")),
    ("LICENSE", include_str!("../../assets/course/reveal/LICENSE")),
];

pub(super) fn run(arguments: &CourseArguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        write(out, course::page().map_err(Failure::wrong)?.as_bytes())?;
    }
    arguments.slides.as_deref().map_or(Ok(()), slides)?;
    arguments.markdown.as_deref().map_or(Ok(()), markdown)
}

/// The slides, and beside them the library that shows them.
fn slides(page: &Path) -> Result<(), Failure> {
    let folder = page.with_file_name(REVEAL);
    fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    for (name, text) in LIBRARY {
        write(&folder.join(name), text.as_bytes())?;
    }
    write(page, course::slides::slides().map_err(Failure::wrong)?.as_bytes())
}

/// The page, and its pictures in the folder that has its name.
fn markdown(page: &Path) -> Result<(), Failure> {
    let name = page.file_stem().unwrap_or_default().to_string_lossy();
    let course = course::markdown::course(&name).map_err(Failure::wrong)?;
    let folder = page.with_file_name(&*name);
    fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    for picture in &course.pictures {
        write(&folder.join(&picture.name), &picture.draw().map_err(Failure::wrong)?)?;
    }
    write(page, course.text.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes).map_err(|error| Failure::file(path, &error))
}
