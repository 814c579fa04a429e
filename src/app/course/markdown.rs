//! The course as a page in Markdown, with pictures that the program draws: for those who read it where no sandbox runs.

use super::picture::Picture;
use super::{Course, NOTES, chapters, links, right};
use crate::workbench::library::tours::{Tour, TourStep, shipped};
use crate::workbench::link::Link;
use crate::workbench::text::prose::prose;

/// What stands above the chapters.
const BEGIN: &str = "# The course

A joint is an equation that a simulation keeps only approximately. How the methods of this project do it, what they leave, and what that
costs is the subject of these chapters. They are the tours of the window, which its list of scenes shows first: each step asks what will be
seen, asks for something to be done that shows it, and says what was seen; a lecturer finds notes beneath it. The pictures show the stage
and the plot of a step. A chapter ends with three exercises that the run itself is judged by, in the window and in the page: whoever solves one copies a
certificate, which [`driftlab mark`](COMMANDS.md#mark) computes anew. Each chapter also has a notebook with exercises that can be assigned and marked ([PYTHON.md](PYTHON.md#the-course-to-assign)).
`driftlab course --markdown docs/course.md` writes this page and its pictures from `assets/tours`.
";

/// The course as Markdown; `folder` is that of its pictures, as seen from the page.
///
/// # Errors
/// The tours do not load, or name a scheme that cannot be read.
pub fn course(folder: &str) -> Result<Course, String> {
    let tours = shipped()?;
    let mut begin = BEGIN.to_owned();
    begin.push('\n');
    for (index, tour) in tours.iter().enumerate() {
        let number = index + 1;
        let name = escaped(&tour.name);
        begin += &format!("{number}. [{name}](#{})\n", anchor(number, &tour.name));
    }
    let Course { text, pictures } = chapters(&tours, folder, chapter)?;
    Ok(Course { text: begin + &text, pictures })
}

fn chapter(
    number: usize,
    tour: &Tour,
    folder: &str,
    pictures: &mut Vec<Picture>,
) -> Result<String, String> {
    let mut text = format!("\n## {number}. {}\n", escaped(&tour.name));
    for (place, (step, link)) in tour.steps.iter().zip(links(tour)?).enumerate() {
        text += &format!("\n{}\n", escaped(&prose(&step.text)));
        text += &asked(step, &link);
        if let Some(picture) = Picture::of([number, place + 1], step, &link) {
            let (name, caption) = (&picture.name, escaped(&picture.caption()));
            text += &format!("\n![{caption}]({folder}/{name})\n\n*{caption}*\n");
            pictures.push(picture);
        }
    }
    if !tour.exercises.is_empty() {
        text += "\n### Exercises\n\n";
    }
    for (index, own) in tour.exercises.iter().enumerate() {
        let task = escaped(&prose(&own.text));
        text += &format!("{}. {task} (`driftlab '#exercise={}'`)\n", index + 1, own.key);
    }
    Ok(text)
}

/// What the step asks to predict and to do, the command that opens its state, what is then seen, and what a lecturer says.
fn asked(step: &TourStep, link: &Link) -> String {
    let opens = format!("`driftlab '{link}'`");
    let mut text = String::new();
    if let Some(own) = &step.predict {
        let answers: Vec<String> =
            own.answers.iter().map(|answer| format!("*{}*", escaped(&prose(answer)))).collect();
        text += &format!("\n> **Predict**: {} {}.\n", escaped(&prose(&own.question)), answers.join(" · "));
    }
    if let Some(ask) = &step.ask {
        let [request, seen] = [&ask.text, &ask.seen].map(|text| escaped(&prose(text)));
        let right = right(step).map_or_else(String::new, |right| format!("**{}.** ", escaped(&right)));
        let begin = if text.is_empty() { "\n" } else { ">\n" };
        text += &format!("{begin}> **Try it** ({opens}): {request}\n>\n> {right}{seen}\n");
    }
    if let Some(notes) = &step.notes {
        let notes = escaped(&prose(notes));
        text += &format!("\n<details><summary>{NOTES}</summary>\n\n{notes}\n\n</details>\n");
    }
    text
}

/// The name that a page gives the heading of a chapter: small letters and digits, with hyphens for spaces.
fn anchor(number: usize, name: &str) -> String {
    let heading = format!("{number}. {name}").to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A text in which no letter is a sign of Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '*' | '_' | '`' | '<' | '[' | ']' | '|') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
