//! `driftlab course`: writes the tours as a page, with the live sandbox in every step or with pictures.

use super::arguments::CourseArguments;
use super::failure::Failure;
use crate::app::course;
use crate::files::replace;
use std::fs;
use std::path::Path;

pub(super) fn run(arguments: &CourseArguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        write(out, course::page().map_err(Failure::wrong)?.as_bytes())?;
    }
    arguments.markdown.as_deref().map_or(Ok(()), markdown)
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
