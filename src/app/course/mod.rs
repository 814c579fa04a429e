//! The course: the chapters of the tours as one page, with the live sandbox in every step, or with pictures.

pub mod markdown;
pub mod picture;
mod raster;
#[cfg(feature = "app")]
pub mod slides;

use crate::figure::markup;
use crate::scene::catalogue;
use crate::workbench::library::tours::{Tour, TourStep, shipped};
use crate::workbench::link::{Link, Stepped, Subject};
use crate::workbench::text::prose::{capitalised, prose};
use picture::Picture;

/// The page around the chapters.
const PAGE: &str = include_str!("../../../assets/course/page.html");
/// Words in it for which the list of chapters, and the chapters themselves, stand.
const CONTENTS: &str = "CONTENTS";
const CHAPTERS: &str = "CHAPTERS";
/// Heading of what a lecturer says.
const NOTES: &str = "Speaker's notes";
/// The page of the sandbox, beside that of the course.
const SANDBOX: &str = "sandbox.html";

/// A page, and the pictures in its folder.
#[derive(Clone, Debug)]
pub struct Course {
    /// The text of the page.
    pub text: String,
    /// The pictures.
    pub pictures: Vec<Picture>,
}

/// Writes a chapter: its number, its tour, the folder of the pictures, and those so far.
type WriteChapter = fn(usize, &Tour, &str, &mut Vec<Picture>) -> Result<String, String>;

/// The chapters in their order, as `write` makes them; `folder` is that of the pictures.
fn chapters(tours: &[Tour], folder: &str, write: WriteChapter) -> Result<Course, String> {
    let mut course = Course { text: String::new(), pictures: Vec::new() };
    for (index, tour) in tours.iter().enumerate() {
        course.text += &write(index + 1, tour, folder, &mut course.pictures)?;
    }
    Ok(course)
}

/// The page, as HTML without anything from elsewhere but the sandbox and the style and scripts beside it (`web/`).
///
/// # Errors
/// The tours do not load, or name a scheme that cannot be read.
pub fn page() -> Result<String, String> {
    let (mut contents, mut chapters) = (String::new(), String::new());
    for (index, tour) in shipped()?.iter().enumerate() {
        let (number, name) = (index + 1, markup(&tour.name));
        contents += &format!("<li><a href=\"#chapter-{number}\"><span>{number}</span>{name}</a></li>\n");
        chapters += &format!(
            "<section id=\"chapter-{number}\">\n<h2><span class=\"number\">Chapter {number}</span>{name}</h2>\n"
        );
        for (step, link) in tour.steps.iter().zip(links(tour)?) {
            chapters += &figure(step, &link);
        }
        if !tour.exercises.is_empty() {
            chapters += &format!("<h3>Exercises</h3>\n{}", exercises(tour));
        }
        chapters += "</section>\n";
    }
    Ok(PAGE.replace(CONTENTS, &contents).replace(CHAPTERS, &chapters))
}

/// The state of each step: what a step does not name stays as the steps before it have set it.
fn links(tour: &Tour) -> Result<Vec<Link>, String> {
    let mut state = Link::default();
    let mut links = Vec::new();
    for TourStep { scene, stabilizer, time_step, speed, paused, .. } in &tour.steps {
        if let Some(key) = scene {
            state = Link { subject: Some(Subject::Shipped(key.clone())), ..Link::default() };
        }
        if let Some(text) = stabilizer {
            state.main = Stepped { h: state.main.h, ..Stepped::read(text)? };
        }
        state.main.h = time_step.or(state.main.h);
        state.speed = *speed;
        state.playing = paused.then_some(false);
        links.push(state.clone());
    }
    Ok(links)
}

/// What is to be predicted at a step, with its answers; nothing where there is none.
fn prediction(step: &TourStep) -> String {
    step.predict.as_ref().map_or_else(String::new, |own| {
        let answers: String =
            own.answers.iter().map(|answer| format!("<li>{}</li>", markup(&prose(answer)))).collect();
        format!("<div class=\"predict\"><p>{}</p><ul>{answers}</ul></div>\n", markup(&prose(&own.question)))
    })
}

/// A paragraph, and beneath it the sandbox and the way to all of it.
fn figure(step: &TourStep, link: &Link) -> String {
    let name = match &link.subject {
        Some(Subject::Shipped(key)) => catalogue::find(key).and_then(|entry| entry.scene().ok()),
        _ => None,
    };
    let name = markup(&name.map(|scene| scene.name).unwrap_or_default());
    let (text, fragment) = (markup(&prose(&step.text)), markup(&link.to_string()));
    let ask = step.ask.as_ref().map(|ask| {
        let [text, seen] = [&ask.text, &ask.seen].map(|text| markup(&prose(text)));
        let right = right(step).map_or_else(String::new, |right| format!("<b>{}.</b> ", markup(&right)));
        format!("<details><summary>{text}</summary><p>{right}{seen}</p></details>\n")
    });
    let notes = step.notes.as_ref().map(|notes| {
        let notes = markup(&prose(notes));
        format!("<details class=\"notes\"><summary>{NOTES}</summary><p>{notes}</p></details>\n")
    });
    let [ask, notes] = [ask, notes].map(Option::unwrap_or_default);
    let predict = prediction(step);
    format!(
        "<div class=\"step\">\n<p>{text}</p>\n{predict}{ask}{notes}<figure>\n<div class=\"stage\">{name}\
         <iframe hidden title=\"{name}\" data-driftlab=\"{SANDBOX}?embed{fragment}\"></iframe></div>\n\
         <figcaption><span>{name}</span><a href=\"{SANDBOX}{fragment}\">Open this state in the full sandbox</a></figcaption>\n\
         </figure>\n</div>\n"
    )
}

/// The exercises of a chapter, each with the way to it.
fn exercises(tour: &Tour) -> String {
    let each = tour.exercises.iter().map(|own| {
        let (text, key) = (markup(&prose(&own.text)), markup(&own.key));
        format!("<li>{text} <a href=\"{SANDBOX}#exercise={key}\">Try it</a></li>\n")
    });
    format!("<ol class=\"exercises\">\n{}</ol>\n", each.collect::<String>())
}

/// The right answer of a step's prediction, as the beginning of a sentence.
fn right(step: &TourStep) -> Option<String> {
    let predict = step.predict.as_ref()?;
    predict.answers.get(predict.right).map(|answer| capitalised(&prose(answer)))
}
