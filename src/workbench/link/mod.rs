//! Links: a state of the window as the fragment of an address, `#scene=six-link-chain&beside=none&h=0.002&t=1.5&alpha=50`.
//!
//! [`Link`] is what a link says, as plain data: parsed from a text, and printed to one that parses to the same data,
//! numbers to the bit. [`KEYS`] is the table of all that a link can say. `opening` turns a link into a scene and its
//! methods, and back. No clock, thread or file is used here, so that a page can do the same.

mod acting;
mod keys;
mod opening;
mod packed;

pub use acting::acts;
pub use keys::{KEYS, Key, table};
pub use opening::Opened;
pub(crate) use opening::solver_text;

use crate::files::MOST_SCENE_BYTES;
use crate::method::{Effort, Integrator, Level};
use crate::peers;
use crate::scene::nearest;
use crate::schemes::TABLE;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::fmt;

/// What stands in a fragment as it is; everything else is encoded as `%XX`.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// In a value, what separates the runs of a list stays readable.
const VALUE: &AsciiSet = &ENCODED.remove(b',').remove(b'=');
/// Most characters of a refused word that a message repeats.
const QUOTED: usize = 40;

/// What a link shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// The shipped scene of that key.
    Shipped(String),
    /// A scene file's text.
    File(String),
}

/// How a run is stepped, as far as the link says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stepped {
    /// Key of the scheme.
    pub stabilizer: Option<String>,
    /// Parameters of the scheme: keys and values as the command line takes them.
    pub parameters: Vec<(String, String)>,
    /// The level at which constraints are posed.
    pub level: Option<Level>,
    /// The integrator of the acceleration level.
    pub integrator: Option<Integrator>,
    /// Time step, s.
    pub h: Option<f64>,
}

/// What a link says of an exercise; with all of it, the link is a certificate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claim {
    /// Key of the exercise.
    pub exercise: Option<String>,
    /// Who claims to have solved it.
    pub by: Option<String>,
    /// The figures that are claimed, as the exercise lists them, each in its unit.
    pub figures: Vec<f64>,
    /// The digest over exercise, name, figures and run.
    pub digest: Option<String>,
}

/// What a link says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// The scene; the first one if none is named.
    pub subject: Option<Subject>,
    /// How the main run is stepped.
    pub main: Stepped,
    /// The solver with its parameters, as the command line names it.
    pub solver: Option<String>,
    /// The effort of all runs.
    pub effort: Option<Effort>,
    /// The runs beside the main one.
    pub beside: Vec<Stepped>,
    /// The simulation time to run to, s.
    pub t: Option<f64>,
    /// Whether time passes once that is reached. By default it does, unless the link names a time.
    pub playing: Option<bool>,
    /// Simulated seconds per real second.
    pub speed: Option<f64>,
    /// Whether each run is shown in a pane of its own.
    pub panes: bool,
    /// The parameter whose slider an embedded window shows.
    pub slider: Option<String>,
    /// The rest of what the window shows: the JSON text of the key `window` of a scene file.
    pub window: Option<String>,
    /// The exercise that it is about.
    pub claim: Claim,
}

impl Link {
    /// Reads a link: a whole address, its fragment with `#`, or the fragment alone. An address without a fragment says nothing.
    ///
    /// # Errors
    /// Everything that is wrong with it: which key, what was expected.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        if text.len() as u64 > MOST_SCENE_BYTES {
            return Err(vec![format!(
                "the link has {} bytes (expected at most {MOST_SCENE_BYTES})",
                text.len()
            )]);
        }
        let text = text.trim();
        let fragment = match text.split_once('#') {
            Some((_, fragment)) => fragment,
            None if text.contains("://") => "",
            None => text,
        };
        let (mut link, mut problems, mut seen) = (Self::default(), Vec::new(), Vec::new());
        for pair in fragment.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let said = decoded(key).and_then(|key| {
                if seen.contains(&key) {
                    return Err(format!("'{}' is given twice", shown(&key)));
                }
                seen.push(key.clone());
                link.say(&key, &decoded(value)?)
            });
            problems.extend(said.err());
        }
        let both = |pair: [&str; 2]| pair.iter().all(|key| seen.iter().any(|other| other == key));
        for pair in [["scene", "file"], ["play", "paused"]].into_iter().filter(|pair| both(*pair)) {
            problems.push(format!("{} and {}: expected only one of them", pair[0], pair[1]));
        }
        if problems.is_empty() { Ok(link) } else { Err(problems) }
    }

    /// Whether a text is meant as a link: an address or a fragment.
    pub fn is_one(text: &str) -> bool {
        text.starts_with('#') || text.starts_with("http://") || text.starts_with("https://")
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn say(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "scene" => {
                self.subject = Some(Subject::Shipped(opening::shipped(&word(key, value)?)?.key.to_owned()))
            }
            "file" => {
                let text = packed::unpack(value).map_err(|problem| format!("file: {problem}"))?;
                self.subject = Some(Subject::File(text));
            }
            "solver" => self.solver = Some(word(key, value)?),
            "effort" => self.effort = Some(one_of(key, value, &Effort::ALL.map(|own| (own.key(), own)))?),
            "beside" => self.beside = beside(value)?,
            "t" => self.t = Some(number(key, value, |t| t >= 0.0, "a time of at least 0, s")?),
            "speed" => {
                let expected = "a number greater than 0, simulated seconds per real second";
                self.speed = Some(number(key, value, |speed| speed > 0.0, expected)?);
            }
            "play" => self.playing = Some(flag(key, value)?),
            "paused" => self.playing = Some(!flag(key, value)?),
            "panes" => self.panes = flag(key, value)?,
            "slider" => self.slider = Some(word(key, value)?),
            "window" => self.window = Some(word(key, value)?),
            "exercise" => self.claim.exercise = Some(word(key, value)?),
            "by" => self.claim.by = Some(word(key, value)?),
            "figures" => {
                let each = value.split(',');
                let read = each.map(|text| number(key, text, |_| true, "numbers, separated by commas"));
                self.claim.figures = read.collect::<Result<_, _>>()?;
            }
            "digest" => self.claim.digest = Some(word(key, value)?),
            "stabilizer" => self.main.stabilizer = Some(word(key, value)?),
            _ => self.main.say(key, value)?,
        }
        Ok(())
    }
}

impl Stepped {
    /// Reads a scheme with its parameters as the command line names it: `KIND[,key=value…]`.
    ///
    /// # Errors
    /// What is wrong, or more than one scheme.
    pub fn read(text: &str) -> Result<Self, String> {
        match <[Self; 1]>::try_from(beside(text)?) {
            Ok([run]) => Ok(run),
            Err(_) => Err(format!("'{}': expected one scheme", shown(text))),
        }
    }

    /// Takes in a key that the main run and those beside it have in common.
    fn say(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "h" => self.h = Some(number(key, value, |h| h > 0.0, "a time step greater than 0, s")?),
            "level" => self.level = Some(one_of(key, value, &Level::ALL.map(|own| (own.key(), own)))?),
            "integrator" => {
                self.integrator = Some(one_of(key, value, &Integrator::ALL.map(|own| (own.key(), own)))?);
            }
            _ if parameter_keys().any(|own| own == key) => {
                self.parameters.push((key.to_owned(), word(key, value)?));
            }
            _ => return Err(unknown(key)),
        }
        Ok(())
    }

    /// The scheme that it names with its parameters, as the command line takes them.
    pub(crate) fn scheme_text(&self) -> String {
        self.spelled(self.stabilizer.as_deref().unwrap_or_default())
    }

    /// The scheme with its parameters as the command line takes them: `KIND,key=value`.
    fn spelled(&self, kind: &str) -> String {
        let mut text = kind.to_owned();
        for (key, value) in &self.parameters {
            text += &format!(",{key}={value}");
        }
        text
    }

    /// What it says but for scheme and parameters.
    fn rest(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        let level = self.level.map(|level| ("level", level.key().to_owned()));
        let integrator = self.integrator.map(|integrator| ("integrator", integrator.key().to_owned()));
        level.into_iter().chain(integrator).chain(self.h.map(|h| ("h", written(h))))
    }
}

/// As the fragment of an address, `#` included.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, main, solver, effort, beside, t, playing, speed, panes, slider, window, claim } =
            self;
        let mut pairs: Vec<(&str, String)> = Vec::new();
        match subject {
            Some(Subject::Shipped(key)) => pairs.push(("scene", key.clone())),
            Some(Subject::File(text)) => pairs.push(("file", packed::pack(text))),
            None => {}
        }
        pairs.extend(main.stabilizer.clone().map(|kind| ("stabilizer", kind)));
        pairs.extend(main.parameters.iter().map(|(key, value)| (key.as_str(), value.clone())));
        for pair in main.rest() {
            pairs.push(pair);
        }
        pairs.extend(solver.clone().map(|solver| ("solver", solver)));
        pairs.extend(effort.map(|effort| ("effort", effort.key().to_owned())));
        if !beside.is_empty() {
            let runs: Vec<String> = beside.iter().map(spelled_beside).collect();
            pairs.push(("beside", runs.join(",")));
        }
        pairs.extend(t.map(|t| ("t", written(t))));
        pairs.extend(speed.map(|speed| ("speed", written(speed))));
        pairs.extend(playing.map(|playing| (if playing { "play" } else { "paused" }, String::new())));
        pairs.extend(panes.then(|| ("panes", String::new())));
        pairs.extend(slider.clone().map(|slider| ("slider", slider)));
        pairs.extend(window.clone().map(|window| ("window", window)));
        pairs.extend(claim.exercise.clone().map(|exercise| ("exercise", exercise)));
        pairs.extend(claim.by.clone().map(|by| ("by", by)));
        if !claim.figures.is_empty() {
            let figures: Vec<String> = claim.figures.iter().copied().map(written).collect();
            pairs.push(("figures", figures.join(",")));
        }
        pairs.extend(claim.digest.clone().map(|digest| ("digest", digest)));
        f.write_str("#")?;
        for (index, (key, value)) in pairs.iter().enumerate() {
            f.write_str(if index > 0 { "&" } else { "" })?;
            write!(f, "{}", utf8_percent_encode(key, ENCODED))?;
            if !value.is_empty() {
                write!(f, "={}", utf8_percent_encode(value, VALUE))?;
            }
        }
        Ok(())
    }
}

/// A run of the list `beside`.
fn spelled_beside(run: &Stepped) -> String {
    let mut text = run.scheme_text();
    for (key, value) in run.rest() {
        text += &format!(",{key}={value}");
    }
    text
}

/// Reads the list of runs: `none,post_stabilization,max_iterations=3`; a part with `=` belongs to the scheme before it.
fn beside(text: &str) -> Result<Vec<Stepped>, String> {
    let mut runs: Vec<Stepped> = Vec::new();
    for part in text.split(',').map(str::trim) {
        match (part.split_once('='), runs.last_mut()) {
            (None, _) => {
                runs.push(Stepped { stabilizer: Some(word("beside", part)?), ..Stepped::default() })
            }
            (Some((key, value)), Some(run)) => {
                run.say(key.trim(), value.trim()).map_err(|problem| format!("beside: {problem}"))?;
            }
            (Some(_), None) => {
                return Err(format!("beside = '{}': expected a scheme first", shown(text)));
            }
        }
    }
    Ok(runs)
}

/// A number whose text reads back to the same bits: as digits, or with an exponent where that is shorter.
fn written(number: f64) -> String {
    let (digits, scientific) = (number.to_string(), format!("{number:e}"));
    if scientific.len() < digits.len() { scientific } else { digits }
}

fn number(key: &str, text: &str, fits: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite() && fits(*number));
    number.ok_or_else(|| format!("{key} = '{}': expected {expected}", shown(text)))
}

fn flag(key: &str, text: &str) -> Result<bool, String> {
    match text {
        "" => Ok(true),
        _ => Err(format!("{key} = '{}': expected no value", shown(text))),
    }
}

fn word(key: &str, text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err(format!("{key}: expected a value after '='")) } else { Ok(text.to_owned()) }
}

fn one_of<T: Copy>(key: &str, text: &str, choices: &[(&str, T)]) -> Result<T, String> {
    let found = choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice);
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    found.ok_or_else(|| format!("{key} = '{}': expected {}", shown(text), names.join(" or ")))
}

fn decoded(text: &str) -> Result<String, String> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(Into::into).map_err(|_| format!("'{}' is not UTF-8 after decoding %XX", shown(text)))
}

fn unknown(key: &str) -> String {
    let names = KEYS.iter().map(|own| own.key).chain(parameter_keys());
    let meant = nearest(key, names).map_or_else(
        || " (expected a key of the table of links, or a parameter of a scheme)".to_owned(),
        |meant| format!(" (did you mean '{meant}'?)"),
    );
    format!("unknown key '{}'{meant}", shown(key))
}

/// Every parameter of every scheme, in each parametrization that scene files know.
fn parameter_keys() -> impl Iterator<Item = &'static str> {
    TABLE.iter().chain(peers::schemes()).flat_map(|scheme| {
        let info = scheme.info();
        let languages = info.languages.iter().filter(|language| language.in_files);
        let other = languages.flat_map(|language| language.parameters);
        info.parameters.iter().chain(other).map(|parameter| parameter.key)
    })
}

/// A word as a message repeats it.
fn shown(text: &str) -> String {
    let clean: String = text.chars().take(QUOTED).map(|c| if c.is_control() { '�' } else { c }).collect();
    if text.chars().nth(QUOTED).is_some() { clean + "…" } else { clean }
}
