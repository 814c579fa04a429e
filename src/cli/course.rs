//! `driftlab course`: writes the tours as a page with the live sandbox in every step.

use super::arguments::CourseArguments;
use super::failure::Failure;
use crate::app::course;
use crate::files::replace;

pub(super) fn run(arguments: &CourseArguments) -> Result<(), Failure> {
    let page = course::page().map_err(Failure::wrong)?;
    replace(&arguments.out, page.as_bytes()).map_err(|error| Failure::file(&arguments.out, &error))
}
