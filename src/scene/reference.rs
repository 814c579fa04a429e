//! Published figures: what a paper says that a scene does, to draw over the plot and to check.

use super::method;
use super::quantity::{Quantity, Take};
use super::reader::Cursor;
use super::write::{number, object};
use crate::method::Stabilizer;
use serde_json::{Value, json};

/// What a reference states about the largest value in its time window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Not more than this.
    AtMost(f64),
    /// Not less than this.
    AtLeast(f64),
    /// About this, as precisely as a printed curve can be read.
    About(f64),
}

impl Bound {
    /// Relative tolerance of a [`Bound::About`]: such figures are read off printed curves, or the paper itself says
    /// "around".
    pub const ABOUT: f64 = 1.0 / 3.0;

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::AtMost(_) => "at_most",
            Self::AtLeast(_) => "at_least",
            Self::About(_) => "about",
        }
    }

    /// The number.
    pub fn value(self) -> f64 {
        match self {
            Self::AtMost(value) | Self::AtLeast(value) | Self::About(value) => value,
        }
    }

    /// Whether `measured` satisfies the bound, [`Bound::About`] to the relative tolerance `within`; NaN never does.
    pub fn holds(self, measured: f64, within: f64) -> bool {
        match self {
            Self::AtMost(value) => measured <= value,
            Self::AtLeast(value) => measured >= value,
            Self::About(value) => (measured - value).abs() <= within * value.abs(),
        }
    }
}

/// A published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What the plot calls it.
    pub label: String,
    /// Which quantity it is about.
    pub quantity: Quantity,
    /// The body that it is about, where the quantity is one body's.
    pub body: Option<String>,
    /// Which number of its values in the time window.
    pub take: Take,
    /// The published value of that number.
    pub bound: Bound,
    /// Relative tolerance of a [`Bound::About`]; by default [`Bound::ABOUT`].
    pub within: Option<f64>,
    /// Start of the time window, s; by default the start of the run.
    pub from: Option<f64>,
    /// End of the time window, s; by default the end of the run.
    pub to: Option<f64>,
    /// The scheme for which it holds; by default every scheme.
    pub stabilizer: Option<Stabilizer>,
    /// If given, the number is divided by the same number under this scheme.
    pub ratio_to: Option<Stabilizer>,
    /// The time step for which it holds, s; by default the scene's.
    pub time_step: Option<f64>,
    /// The contact tolerance for which it holds, m; by default the scene's.
    pub contact_tolerance: Option<f64>,
    /// The id of the figure in `driftlab-evidence figures` with which it is judged.
    pub figure: Option<String>,
    /// What the source leaves open and the scene assumes.
    pub assumption: Option<String>,
    /// Why it is not reproduced, where that is understood.
    pub remark: Option<String>,
}

impl Reference {
    /// Whether it states the largest value of a run of the unchanged scene under `stabilizer`. References that
    /// compare runs, or change the step, are judged by `driftlab-evidence figures` alone.
    pub fn concerns(&self, stabilizer: &Stabilizer) -> bool {
        let in_report = !self.quantity.needs_world();
        in_report && self.is_level() && self.stabilizer.as_ref().is_none_or(|own| own == stabilizer)
    }

    /// Whether it bounds the largest value of a single run at the scene's own time step and contact tolerance.
    pub fn is_level(&self) -> bool {
        let as_it_is = self.time_step.is_none() && self.contact_tolerance.is_none();
        self.take == Take::Largest && self.ratio_to.is_none() && as_it_is
    }

    /// Whether `measured` satisfies the bound.
    pub fn holds(&self, measured: f64) -> bool {
        self.bound.holds(measured, self.within.unwrap_or(Bound::ABOUT))
    }

    /// Whether `time` (s) lies in its window.
    pub fn covers(&self, time: f64) -> bool {
        // Times are sums of time steps: the step that should end at `to` may end an ulp later.
        let rounding = 1e-9 * (1.0 + time.abs());
        self.from.is_none_or(|from| time >= from - rounding)
            && self.to.is_none_or(|to| time <= to + rounding)
    }
}

/// Reads one element of `reference`; `h` is the time step, s.
pub(super) fn read(cursor: &Cursor<'_>, h: f64) -> Option<Reference> {
    let keys = cursor.object("a reference {\"label\": …, \"quantity\": …}")?;
    let label = keys.require("label", "a text").and_then(|c| c.name());
    let named = Quantity::ALL.map(|quantity| (quantity.key(), quantity));
    let quantity = keys.require("quantity", "a quantity").and_then(|c| c.one_of("a quantity", &named));
    let bounds = [
        keys.maybe("at_most", Cursor::number).map(|x| x.map(Bound::AtMost)),
        keys.maybe("at_least", Cursor::number).map(|x| x.map(Bound::AtLeast)),
        keys.maybe("about", Cursor::number).map(|x| x.map(Bound::About)),
    ];
    let body = keys.maybe("body", |c| c.name().map(str::to_owned));
    if let (true, Some(None)) = (quantity.is_some_and(Quantity::is_of_a_body), &body) {
        keys.require("body", "the name of the body that it is of");
    }
    let from = keys.maybe("from", Cursor::number);
    let to = keys.maybe("to", Cursor::number);
    let within = keys.maybe("within", Cursor::positive);
    let named = Take::ALL.map(|take| (take.key(), take));
    let take = keys.or("take", Take::default(), |c| c.one_of("what to take", &named));
    let time_step = keys.maybe("time_step", Cursor::positive);
    let contact_tolerance = keys.maybe("contact_tolerance", Cursor::not_negative);
    let h = time_step.flatten().unwrap_or(h);
    let stabilizer = keys.maybe("stabilizer", |c| scheme(c, h));
    let ratio_to = keys.maybe("ratio_to", |c| scheme(c, h));
    let text = |key| keys.maybe(key, |c| c.text().map(str::to_owned));
    let (figure, assumption, remark) = (text("figure"), text("assumption"), text("remark"));
    let end = keys.get("to");
    keys.finish();
    if let (Some(Some(from)), Some(Some(to)), Some(place)) = (from, to, end)
        && from > to
    {
        place.problem(format!("expected at least 'from', {from} s, found {to} s"));
        return None;
    }
    let bound = one_bound(cursor, bounds)?;
    if let (Some(Some(_)), Bound::AtMost(_) | Bound::AtLeast(_)) = (within, bound) {
        cursor.problem("'within' is the tolerance of 'about' (expected 'about', or no 'within')");
        return None;
    }
    Some(Reference {
        label: label?.to_owned(),
        quantity: quantity?,
        body: body?,
        take: take?,
        bound,
        within: within?,
        from: from?,
        to: to?,
        stabilizer: stabilizer?,
        ratio_to: ratio_to?,
        time_step: time_step?,
        contact_tolerance: contact_tolerance?,
        figure: figure?,
        assumption: assumption?,
        remark: remark?,
    })
}

/// A stabilizer as an object, or as the command line spells it.
fn scheme(cursor: &Cursor<'_>, h: f64) -> Option<Stabilizer> {
    if cursor.is_text() {
        method::stabilizer_from(cursor.text()?, h).map_err(|error| cursor.problem(error)).ok()
    } else {
        method::read_stabilizer(cursor, h)
    }
}

/// The bound that is given, if it is exactly one; `bounds` have been read already, `None` where reading failed.
fn one_bound(cursor: &Cursor<'_>, bounds: [Option<Option<Bound>>; 3]) -> Option<Bound> {
    let bounds: Option<Vec<_>> = bounds.into_iter().collect();
    match bounds?.into_iter().flatten().collect::<Vec<_>>().as_slice() {
        [bound] => Some(*bound),
        _ => {
            cursor.problem("expected exactly one of 'at_most', 'at_least' and 'about'");
            None
        }
    }
}

/// Writes one element of `reference`.
pub(super) fn write(reference: &Reference) -> Value {
    let Reference {
        label,
        quantity,
        body,
        take,
        bound,
        within,
        from,
        to,
        stabilizer,
        ratio_to,
        time_step,
        contact_tolerance,
        figure,
        assumption,
        remark,
    } = reference;
    let scheme = |s: &Stabilizer| method::write(s.info().key, &s.values);
    let mut keys = vec![("label", json!(label)), ("quantity", json!(quantity.key()))];
    keys.extend(body.iter().map(|name| ("body", json!(name))));
    keys.extend((*take != Take::default()).then(|| ("take", json!(take.key()))));
    keys.push((bound.key(), number(bound.value())));
    keys.extend(within.map(|within| ("within", number(within))));
    keys.extend(from.map(|from| ("from", number(from))));
    keys.extend(to.map(|to| ("to", number(to))));
    keys.extend(stabilizer.iter().map(|s| ("stabilizer", scheme(s))));
    keys.extend(ratio_to.iter().map(|s| ("ratio_to", scheme(s))));
    keys.extend(time_step.map(|h| ("time_step", number(h))));
    keys.extend(contact_tolerance.map(|tolerance| ("contact_tolerance", number(tolerance))));
    keys.extend(figure.iter().map(|id| ("figure", json!(id))));
    keys.extend(assumption.iter().map(|text| ("assumption", json!(text))));
    keys.extend(remark.iter().map(|text| ("remark", json!(text))));
    object(keys)
}
