//! The course as slides, in the format of reveal.js: a chapter goes downwards, with the live sandbox in every step, what a
//! lecturer says as speaker's notes, and the exercises at its end. Where no sandbox runs, and on paper, there are pictures.

use super::picture::Picture;
use super::{CHAPTERS, Course, SANDBOX, chapters, exercises, links, prediction, right};
use crate::figure::markup;
use crate::workbench::library::tours::{Tour, TourStep, shipped};
use crate::workbench::link::Link;
use crate::workbench::text::prose::prose;

/// The page around the slides.
const PAGE: &str = include_str!("../../../assets/course/slides.html");

/// The slides, as HTML that finds reveal.js in a folder `reveal`, the sandbox, and its pictures in `folder`, beside it.
///
/// # Errors
/// The tours do not load, or name a scheme that cannot be read.
pub fn slides(folder: &str) -> Result<Course, String> {
    let Course { text, pictures } = chapters(&shipped()?, folder, chapter)?;
    Ok(Course { text: PAGE.replace(CHAPTERS, &text), pictures })
}

fn chapter(
    number: usize,
    tour: &Tour,
    folder: &str,
    pictures: &mut Vec<Picture>,
) -> Result<String, String> {
    let name = markup(&tour.name);
    let mut text = format!(
        "<section>\n<section class=\"opens\" id=\"chapter-{number}\">\n<p class=\"number\">Chapter {number}</p>\n<h2>{name}</h2>\n</section>\n"
    );
    for (place, (step, link)) in tour.steps.iter().zip(links(tour)?).enumerate() {
        let picture = Picture::of([number, place + 1], step, &link);
        let image = picture.as_ref().map(|own| {
            let (source, caption) = (markup(&format!("{folder}/{}", own.name)), markup(&own.caption()));
            format!("<img src=\"{source}\" alt=\"{caption}\">")
        });
        text += &slide(&name, step, &link, &image.unwrap_or_default());
        pictures.extend(picture);
    }
    if !tour.exercises.is_empty() {
        let hints: String =
            tour.exercises.iter().map(|own| format!("<li>{}</li>", markup(&prose(&own.hint)))).collect();
        text += &format!(
            "<section>\n<h3>{name}</h3>\n<h2>Exercises</h2>\n{}<aside class=\"notes\">Hints, which the window gives after two \
             tries:<ol>{hints}</ol></aside>\n</section>\n",
            exercises(tour)
        );
    }
    Ok(text + "</section>\n")
}

/// A step with its text, and the sandbox above its image.
fn slide(name: &str, step: &TourStep, link: &Link, image: &str) -> String {
    let (text, fragment) = (markup(&prose(&step.text)), markup(&link.to_string()));
    let ask = step.ask.as_ref().map(|ask| {
        let [text, seen] = [&ask.text, &ask.seen].map(|text| markup(&prose(text)));
        let right = right(step).map_or_else(String::new, |right| format!("<b>{}.</b> ", markup(&right)));
        format!("<p>→ {text}</p>\n<p class=\"fragment seen\">{right}{seen}</p>\n")
    });
    let notes = step.notes.as_ref().map(|notes| markup(&prose(notes)));
    let [ask, notes] = [ask, notes].map(Option::unwrap_or_default);
    let predict = prediction(step);
    format!(
        "<section>\n<div class=\"step\"><div class=\"said\">\n<h3>{name}</h3>\n<p>{text}</p>\n{predict}{ask}</div>\n\
         <div class=\"figure\">{image}<iframe data-src=\"{SANDBOX}?embed{fragment}\" title=\"{name}\"></iframe></div></div>\n\
         <aside class=\"notes\">{notes}</aside>\n</section>\n"
    )
}
