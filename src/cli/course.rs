//! `driftlab course`: writes the tours as a page, with the live sandbox in every step or with pictures, and as slides.

use super::arguments::CourseArguments;
use super::failure::Failure;
use crate::app::course::markdown::course;
use crate::app::course::slides::slides;
use crate::app::course::{Course, page};
use crate::files::replace;
use std::fs;
use std::path::{Path, PathBuf};

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
        write(out, page().map_err(Failure::wrong)?.as_bytes())?;
    }
    if let Some(page) = &arguments.slides {
        library(&beside(page, REVEAL)?)?;
        pictured(page, slides)?;
    }
    arguments.markdown.as_deref().map_or(Ok(()), |page| pictured(page, course))
}

/// The library that shows slides.
fn library(folder: &Path) -> Result<(), Failure> {
    LIBRARY.iter().try_for_each(|(name, text)| write(&folder.join(name), text.as_bytes()))
}

/// A page, and its pictures in the folder that has its name.
fn pictured(page: &Path, made: fn(&str) -> Result<Course, String>) -> Result<(), Failure> {
    let name = page.file_stem().unwrap_or_default().to_string_lossy();
    let course = made(&name).map_err(Failure::wrong)?;
    let folder = beside(page, &name)?;
    for picture in &course.pictures {
        write(&folder.join(&picture.name), &picture.draw().map_err(Failure::wrong)?)?;
    }
    write(page, course.text.as_bytes())
}

/// A folder beside a page, which is made if it is not there.
fn beside(page: &Path, name: &str) -> Result<PathBuf, Failure> {
    let folder = page.with_file_name(name);
    fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    Ok(folder)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes).map_err(|error| Failure::file(path, &error))
}
