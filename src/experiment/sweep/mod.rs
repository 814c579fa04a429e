//! A scene run at every point of a grid of parameters: one row each, in parts that join to the same bytes.
//!
//! A part's file is a comment line, the columns, and the rows of every N-th point:
//!
//! ```text
//! # driftlab-sweep/2 {"id":"…","scene":"…","stabilizer":"…","over":["alpha=1:1000:log:40"],"points":40,"part":1, …}
//! index,alpha,joint_error,contact_error,energy_drift,correction_work,steps,time,failure
//! ```
//!
//! Row `index` (from 0) belongs to part 1 + index mod N. `id` is a digest of the program's version, of the whole scene with its
//! options, of the grid and of the run's length: parts with the same id belong together, and no others. `crc32` is the
//! checksum of the comment line without it and of all lines that follow.

pub(crate) mod axis;
pub(crate) mod cell;
pub(crate) mod compare;
pub(crate) mod digest;
pub mod rows;
pub(crate) mod study;

use super::run::Run;
use super::run::summary::Summary;
use super::sweep::axis::{Axis, Grid};
use super::sweep::cell::{has_blown_up, has_failed, is_unsolved};
use super::sweep::digest::digest;
use super::sweep::study::Study;
use super::{reason, steps_for};
use crate::numbers::shortest;
use crate::scene::Settings;
use serde::{Deserialize, Serialize};

/// What a file of a sweep begins with.
const MARK: &str = "# driftlab-sweep/2 ";
/// What files without a checksum began with.
const EARLIER: &str = "# driftlab-sweep/1 ";
/// What is said about a file whose bytes are not those that were written.
const ALTERED: &str = "was altered since it was written (its checksum is another): run this part again";
/// Columns behind the parameters.
pub const MEASURED: [&str; 7] =
    ["joint_error", "contact_error", "energy_drift", "correction_work", "steps", "time", "failure"];

/// How long every run lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// Steps.
    Steps(u64),
    /// s; none: the scene's own duration.
    Time(Option<f64>),
}

impl Length {
    /// Steps of a run with these settings.
    pub fn steps(self, settings: &Settings) -> u64 {
        match self {
            Self::Steps(steps) => steps,
            Self::Time(time) => steps_for(settings, time),
        }
    }
}

/// Part number `part` of `parts`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub part: u64,
    /// At least `part`.
    pub parts: u64,
}

impl Shard {
    /// Everything in one part.
    pub const WHOLE: Self = Self { part: 1, parts: 1 };

    /// Reads `K/N`.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "expected K/N with 1 ≤ K ≤ N, such as 1/3".to_owned();
        let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
        let [part, parts] = [part, parts].map(|number| number.parse::<u64>().unwrap_or(0));
        if part >= 1 && part <= parts { Ok(Self { part, parts }) } else { Err(wrong()) }
    }

    /// The indices of its points among `points`, ascending.
    pub fn indices(self, points: u64) -> impl Iterator<Item = u64> {
        let pitch = usize::try_from(self.parts).unwrap_or(usize::MAX);
        (self.part - 1..points).step_by(pitch)
    }
}

/// The comment line: which sweep a file belongs to, and which part of it it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Digest of everything that determines the rows.
    pub id: String,
    /// The scene's name.
    pub scene: String,
    /// The scheme, with the parameters that do not vary where it has few.
    pub stabilizer: String,
    /// The axes, as the command line spelled them.
    pub over: Vec<String>,
    /// Points of the whole sweep.
    pub points: u64,
    /// The part, from 1.
    pub part: u64,
    /// Number of parts.
    pub parts: u64,
}

impl Head {
    /// The head of a part of the sweep of `study` over `grid`.
    pub fn new(study: &Study, grid: &Grid, length: Length, shard: Shard) -> Self {
        let scene = study.scene();
        let over: Vec<String> = grid.axes().iter().map(|axis| axis.spelled().to_owned()).collect();
        let varied: Vec<_> = grid.axes().iter().map(|axis| axis.key.as_str()).collect();
        let version = env!("CARGO_PKG_VERSION");
        let all = format!("{version}\n{}\n{:?}\n{over:?}\n{length:?}", scene.to_json(), study.spelled());
        Self {
            id: digest(&all),
            scene: scene.name.clone(),
            stabilizer: super::sweep::study::describe(scene, &varied),
            over,
            points: grid.points(),
            part: shard.part,
            parts: shard.parts,
        }
    }

    /// Which part it is.
    pub fn shard(&self) -> Shard {
        Shard { part: self.part, parts: self.parts }
    }

    /// The axes.
    ///
    /// # Errors
    /// What is wrong with the first text that is not an axis.
    pub fn axes(&self) -> Result<Vec<Axis>, String> {
        self.over.iter().map(|text| Axis::parse(text)).collect()
    }
}

/// A sweep or a part of it: the comment line, the columns, the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The comment line.
    pub head: Head,
    /// Every row's cells, in ascending order of their index.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn columns(&self) -> Result<Vec<String>, String> {
        let keys = self.head.axes()?.into_iter().map(|axis| axis.key);
        let measured = MEASURED.iter().map(|name| (*name).to_owned());
        Ok(std::iter::once("index".to_owned()).chain(keys).chain(measured).collect())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// Errors of the writers.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let mut body = Vec::new();
        let mut writer = csv::Writer::from_writer(&mut body);
        writer.write_record(self.columns()?).map_err(|error| error.to_string())?;
        for row in &self.rows {
            writer.write_record(row).map_err(|error| error.to_string())?;
        }
        writer.flush().map_err(|error| error.to_string())?;
        drop(writer);
        let mut bytes = first_line(&self.head, &body)?.into_bytes();
        bytes.push(b'\n');
        bytes.append(&mut body);
        Ok(bytes)
    }

    /// Reads a file and checks that it is whole: the columns and every index of its part.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let first = head;
        let head = head.strip_prefix(MARK).ok_or_else(|| {
            let expected = format!("expected a first line that starts with '{}'", MARK.trim_end());
            if head.starts_with(EARLIER) {
                format!("was written by an earlier version, without a checksum ({expected}): run the sweep again")
            } else {
                format!("is not part of a sweep ({expected})")
            }
        })?;
        let head: Head = serde_json::from_str(head).map_err(|error| format!("line 1: {error}"))?;
        let Shard { part, parts } = head.shard();
        if part < 1 || part > parts {
            return Err(format!("line 1: there is no part {part}/{parts}"));
        }
        let points = Grid::new(head.axes()?)?.points();
        if points != head.points {
            return Err(format!("line 1: the axes have {points} points, not {}", head.points));
        }
        let mut table = Self { head, rows: Vec::new() };
        let mut reader = csv::Reader::from_reader(body.as_bytes());
        let columns = table.columns()?;
        let found = reader.headers().map_err(|error| error.to_string())?;
        if found.iter().ne(columns.iter()) {
            return Err(format!("line 2: expected the columns {}", columns.join(",")));
        }
        let mut due = table.head.shard().indices(points);
        for record in reader.records() {
            let row: Vec<String> =
                record.map_err(|error| error.to_string())?.iter().map(str::to_owned).collect();
            match due.next() {
                Some(index) if row[0] == index.to_string() => table.rows.push(row),
                Some(index) => return Err(format!("found row '{}', expected row {index}", row[0])),
                None => return Err(format!("row '{}' is beyond the last one expected", row[0])),
            }
        }
        match due.next() {
            // The shape is right; the checksum covers every byte.
            None if first_line(&table.head, body.as_bytes())? != first => Err(ALTERED.to_owned()),
            None => Ok(table),
            Some(index) => Err(format!("row {index} and all rows after it are missing")),
        }
    }

    /// The larger of joint and contact error of each row, in the order of the grid; none where a run failed, infinite
    /// where it overflows.
    pub fn errors(&self) -> Vec<Option<f64>> {
        let first = self.head.over.len() + 1;
        let parsed = |text: &str| if text.is_empty() { Some(f64::INFINITY) } else { text.parse().ok() };
        let number = |row: &[String], column: usize| parsed(&row[first + column]);
        let failed = |row: &[String]| has_failed(&row[first + MEASURED.len() - 1]);
        let error = |row: &Vec<String>| {
            if failed(row) {
                None
            } else {
                Some(super::run::units::larger(number(row, 0)?, number(row, 1)?))
            }
        };
        self.rows.iter().map(error).collect()
    }

    /// Number of runs that failed.
    pub fn failures(&self) -> usize {
        self.count(has_failed)
    }

    /// Number of runs that made all their steps, but blew up on the way.
    pub fn blown_up(&self) -> usize {
        self.count(has_blown_up)
    }

    /// Number of runs that made all their steps, but whose solver has not solved all of them.
    pub fn unsolved(&self) -> usize {
        self.count(is_unsolved)
    }

    fn count(&self, is: fn(&str) -> bool) -> usize {
        self.rows.iter().filter(|row| row.last().is_some_and(|text| is(text))).count()
    }
}

/// Runs point number `index` of a grid and returns its row. A run that fails is a row like any other: what was measured
/// until then, and why it ended.
pub fn run_point(study: &Study, grid: &Grid, length: Length, index: u64) -> Vec<String> {
    let settings = grid.at(index);
    let mut row = vec![index.to_string()];
    row.extend(settings.iter().map(|(_, value)| (*value).to_owned()));
    let scene = match study.at(&settings) {
        Ok(scene) => scene,
        Err(message) => {
            row.extend(MEASURED[1..].iter().map(|_| String::new()));
            row.push(message);
            return row;
        }
    };
    let mut run = Run::new(&scene, length.steps(&scene.settings));
    let mut summary = Summary::new(&scene, run.initial());
    let mut failure = None;
    for report in &mut run {
        match report {
            Ok(report) => summary.add(&report),
            Err(error) => failure = Some(reason(&error, &scene.world)),
        }
    }
    row.extend([
        shortest(summary.joint_error.largest),
        shortest(summary.contact_error.largest),
        shortest(summary.energy.largest_drift),
        shortest(summary.correction_work),
        summary.steps.to_string(),
        shortest(summary.time),
        cell::of(&summary, failure),
    ]);
    row
}

/// Joins the parts of one sweep to the table that a single run of it writes. Parts come with the names that errors give them.
///
/// # Errors
/// Parts of different sweeps or divisions, a part that is given twice, parts that are missing.
pub fn merge(parts: Vec<(String, Table)>) -> Result<Table, String> {
    let Some((first, table)) = parts.first() else { return Err("expected at least one part".to_owned()) };
    let (first, head) = (first.clone(), table.head.clone());
    let count = head.parts;
    let mut found: Vec<(u64, &str)> = Vec::new();
    for (name, table) in &parts {
        let own = &table.head;
        if own.id != head.id {
            return Err(format!(
                "{name}: belongs to another sweep than {first} ({} and {})",
                own.id, head.id
            ));
        }
        if own.parts != count {
            return Err(format!("{name}: is one of {} parts, but {first} is one of {count}", own.parts));
        }
        if let Some((_, other)) = found.iter().find(|(part, _)| *part == own.part) {
            return Err(format!("{name}: is part {}/{count}, and so is {other}", own.part));
        }
        found.push((own.part, name));
    }
    if (found.len() as u64) < count {
        /// Missing parts named at most.
        const NAMED: usize = 20;
        let is_missing = |part: &u64| !found.iter().any(|(own, _)| own == part);
        let named: Vec<_> =
            (1..=count).filter(is_missing).take(NAMED).map(|part| format!("{part}/{count}")).collect();
        let more = count - found.len() as u64 - named.len() as u64;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Err(format!("missing: part {}{more}", named.join(", ")));
    }
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    for (_, table) in parts {
        let indices = table.head.shard().indices(head.points);
        rows.extend(indices.zip(table.rows));
    }
    rows.sort_by_key(|(index, _)| *index);
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    Ok(Table { head: Head { part: 1, parts: 1, ..head }, rows })
}

/// The comment line, with the checksum of itself and of the lines that follow.
///
/// CRC-32: it notices every change of up to 32 neighbouring bits, and leaves out one in 4·10⁹ of all others. It is there against
/// mistakes (a cell that was edited, a transfer that changed line ends), not against malice.
fn first_line(head: &Head, body: &[u8]) -> Result<String, String> {
    #[derive(Serialize)]
    struct Checked<'h> {
        #[serde(flatten)]
        head: &'h Head,
        crc32: String,
    }
    fn text(head: &impl Serialize) -> Result<String, String> {
        serde_json::to_string(head).map_err(|error| error.to_string())
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(text(head)?.as_bytes());
    hasher.update(b"\n");
    hasher.update(body);
    let crc32 = format!("{:08x}", hasher.finalize());
    Ok(format!("{MARK}{}", text(&Checked { head, crc32 })?))
}
