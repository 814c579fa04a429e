//! Reading a table of poses: a row per time and body, the columns named by the header.

use super::{Placed, Poses, Prescribed, Velocities, pose_of_centre};
use crate::model::World;
use crate::scene::{nearest, shown};
use csv::{ReaderBuilder, StringRecord, Trim};
use glam::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::fmt;

/// The columns that every table has, and those that state velocities.
const COLUMNS: [&str; 5] = ["time", "body", "x", "y", "angle"];
const RATES: [&str; 3] = ["vx", "vy", "omega"];
/// Problems that are told at most.
const MOST_PROBLEMS: usize = 20;
/// Names of the scene that are told where a name is like none of them.
const EXAMPLES: usize = 3;
/// Characters of a cell or a name that a problem quotes at most.
const QUOTED: usize = 40;
/// Share of a time by which a sample may precede the scene's time and still belong to it: rounding.
const ROUNDING: f64 = 1e-9;

/// What is wrong with a table of poses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoseProblem {
    /// The line, from 1; none where the table as a whole is wrong.
    pub line: Option<u64>,
    /// What was expected, and what was found.
    pub message: String,
}

impl fmt::Display for PoseProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&shown(&self.message))
    }
}

impl std::error::Error for PoseProblem {}

/// Where the columns stand.
struct Columns {
    places: [usize; COLUMNS.len()],
    rates: Option<[usize; RATES.len()]>,
}

/// The rows of one time.
struct Group {
    time: f64,
    /// Line of its last row.
    line: u64,
    /// Pose of the origin and, if it is given, velocity of the centre of mass, by the body's index in the world.
    rows: BTreeMap<usize, (DVec3, Option<DVec3>)>,
}

/// The table as far as it has been read.
struct Table<'w> {
    world: &'w World,
    /// The index of each name.
    indices: BTreeMap<&'w str, usize>,
    /// Names that no body has, each told once.
    unknown: Vec<String>,
    groups: Vec<Group>,
    problems: Vec<PoseProblem>,
}

pub(super) fn read(text: &str, world: &World) -> Result<Poses, Vec<PoseProblem>> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let columns = match reader.headers() {
        Ok(header) => Columns::of(header).map_err(|problem| vec![problem])?,
        Err(error) => return Err(vec![malformed(&error)]),
    };
    let named = world.bodies().iter().enumerate().filter(|(_, body)| !body.name.is_empty());
    let mut indices = BTreeMap::new();
    named.for_each(|(index, body)| _ = indices.entry(body.name.as_str()).or_insert(index));
    let mut table = Table { world, indices, unknown: Vec::new(), groups: Vec::new(), problems: Vec::new() };
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                if let Err(message) = table.take(&record, &columns, line) {
                    table.problems.push(PoseProblem { line: Some(line), message });
                }
            }
            Err(error) => table.problems.push(malformed(&error)),
        }
        if table.problems.len() >= MOST_PROBLEMS {
            break;
        }
    }
    table.finish(columns.rates.is_some())
}

fn malformed(error: &csv::Error) -> PoseProblem {
    let line = error.position().map(csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("expected {expected_len} cells as in the header, found {len}")
        }
        _ => error.to_string(),
    };
    PoseProblem { line, message }
}

impl Columns {
    fn of(header: &StringRecord) -> Result<Self, PoseProblem> {
        let place = |name: &str| header.iter().position(|own| own.eq_ignore_ascii_case(name));
        let found = || brief(&header.iter().collect::<Vec<_>>().join(", "));
        let missing = |name: &str| PoseProblem {
            line: Some(1),
            message: format!(
                "no column '{name}' (expected {}, and optionally {}; found {})",
                COLUMNS.join(", "),
                RATES.join(", "),
                found()
            ),
        };
        let mut places = [0; COLUMNS.len()];
        for (own, name) in places.iter_mut().zip(COLUMNS) {
            *own = place(name).ok_or_else(|| missing(name))?;
        }
        let stated = RATES.map(place);
        let rates = match stated {
            [Some(vx), Some(vy), Some(omega)] => Some([vx, vy, omega]),
            [None, None, None] => None,
            _ => {
                let lacking = RATES.into_iter().zip(stated).find(|(_, own)| own.is_none());
                return Err(missing(lacking.map_or("", |(name, _)| name)));
            }
        };
        Ok(Self { places, rates })
    }
}

impl Table<'_> {
    /// Takes in a row; an error says what is wrong with it.
    fn take(&mut self, record: &StringRecord, columns: &Columns, line: u64) -> Result<(), String> {
        let number = |place: usize, name: &str| {
            let cell = record.get(place).unwrap_or_default();
            match cell.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ if cell.is_empty() => {
                    Err(format!("{name}: expected a finite number, found an empty cell"))
                }
                _ => Err(format!("{name}: expected a finite number, found '{}'", brief(cell))),
            }
        };
        let [time, body, x, y, angle] = columns.places;
        let time = number(time, COLUMNS[0])?;
        let name = record.get(body).unwrap_or_default();
        let pose = DVec3::new(number(x, COLUMNS[2])?, number(y, COLUMNS[3])?, number(angle, COLUMNS[4])?);
        let rates = match columns.rates {
            None => None,
            Some([vx, vy, omega]) => {
                Some(DVec3::new(number(vx, RATES[0])?, number(vy, RATES[1])?, number(omega, RATES[2])?))
            }
        };
        let last = self.groups.last().map(|group| group.time);
        if let Some(last) = last.filter(|last| time < *last) {
            return Err(format!(
                "time {time} s follows {last} s (expected ascending times, all bodies of a time together)"
            ));
        }
        if last != Some(time) {
            self.groups.push(Group { time, line, rows: BTreeMap::new() });
        }
        let Some(index) = self.indices.get(name).copied() else {
            return self.unknown(name);
        };
        let Some(group) = self.groups.last_mut() else { return Ok(()) };
        group.line = line;
        match group.rows.insert(index, (pose, rates)) {
            None => Ok(()),
            Some(_) => Err(format!("the body '{}' has two rows at {time} s", brief(name))),
        }
    }

    /// No body has that name: told where it comes first.
    fn unknown(&mut self, name: &str) -> Result<(), String> {
        if self.unknown.iter().any(|told| told == name) {
            return Ok(());
        }
        self.unknown.push(name.to_owned());
        let meant = nearest(name, self.indices.keys().copied());
        let meant = match meant {
            Some(meant) => format!(" (did you mean '{meant}'?)"),
            None if self.unknown.len() == 1 => format!(" (the scene has {})", self.some_names()),
            None => String::new(),
        };
        Err(format!("no body of the scene is named '{}'{meant}", brief(name)))
    }

    /// The first names of the scene.
    fn some_names(&self) -> String {
        let names = || self.world.bodies().iter().map(|body| &*body.name).filter(|name| !name.is_empty());
        let first: Vec<String> = names().take(EXAMPLES).map(|name| format!("'{}'", brief(name))).collect();
        let more = if names().nth(EXAMPLES).is_some() { ", …" } else { "" };
        first.join(", ") + more
    }

    fn finish(mut self, given: bool) -> Result<Poses, Vec<PoseProblem>> {
        if self.problems.is_empty() {
            self.check_groups();
        }
        let now = self.world.time();
        let end = self.groups.last().map(|group| group.time);
        self.groups.retain(|group| group.time >= now - ROUNDING * (1.0 + now.abs()));
        if self.problems.is_empty() && self.groups.is_empty() {
            let message = match end {
                None => "no rows behind the header (expected a row for each body at each time)".to_owned(),
                Some(end) => format!("ends at {end} s, before the scene begins at {now} s"),
            };
            self.problems.push(PoseProblem { line: None, message });
        }
        if self.problems.is_empty() { Ok(self.poses(given)) } else { Err(self.problems) }
    }

    /// Every sample has the bodies of the first one, all dynamic bodies among them.
    fn check_groups(&mut self) {
        let Some(first) = self.groups.first() else { return };
        let bodies = self.world.bodies();
        let stated: Vec<usize> = first.rows.keys().copied().collect();
        let lacks = |index: &usize| bodies[*index].is_dynamic() && !first.rows.contains_key(index);
        let name = |index: usize| match bodies[index].name.as_str() {
            "" => format!("body {index}, which has no name"),
            name => format!("the body '{}'", brief(name)),
        };
        let told = |group: &Group, message: String| PoseProblem { line: Some(group.line), message };
        let mut problems = Vec::new();
        for index in (0..bodies.len()).filter(lacks) {
            let (name, time) = (name(index), first.time);
            problems.push(told(
                first,
                format!("no row for {name} at {time} s (expected one for every dynamic body)"),
            ));
        }
        for group in &self.groups[1..] {
            let time = group.time;
            let gone = stated.iter().find(|index| !group.rows.contains_key(index));
            let new = group.rows.keys().find(|index| !first.rows.contains_key(index));
            if let Some(index) = gone {
                problems.push(told(group, format!("no row for {} at {time} s", name(*index))));
            } else if let Some(index) = new {
                let begins = first.time;
                problems.push(told(
                    group,
                    format!("a row for {} at {time} s, but none at {begins} s", name(*index)),
                ));
            }
        }
        problems.truncate(MOST_PROBLEMS);
        self.problems.extend(problems);
    }

    fn poses(&self, given: bool) -> Poses {
        let bodies = self.world.bodies();
        let stated: Vec<usize> =
            self.groups.first().map_or_else(Vec::new, |group| group.rows.keys().copied().collect());
        let times: Vec<f64> = self.groups.iter().map(|group| group.time).collect();
        let mut placed = Vec::with_capacity(times.len() * stated.len());
        let wrapped = self.may_be_wrapped();
        let mut angles: Vec<f64> = stated.iter().map(|index| bodies[*index].pose.angle).collect();
        for group in &self.groups {
            for ((index, (origin, rates)), angle) in group.rows.iter().zip(&mut angles) {
                let turns = if wrapped { ((*angle - origin.z) / TAU).round() } else { 0.0 };
                *angle = origin.z + TAU * turns;
                let centre = bodies[*index].mass_properties().center;
                let q = pose_of_centre(origin.truncate().extend(*angle), centre);
                placed.push(Placed { q, v: rates.unwrap_or_default() });
            }
        }
        if !given {
            differentiate(&times, stated.len(), &mut placed);
        }
        let left_out = bodies.iter().enumerate().filter(|(index, _)| !stated.contains(index));
        let prescribed = left_out.filter_map(|(index, body)| {
            body.path()?;
            Some(Prescribed { id: self.world.id_of(index)?, body: body.clone(), since: self.world.time() })
        });
        Poses {
            prescribed: prescribed.collect(),
            times,
            bodies: stated.iter().filter_map(|index| self.world.id_of(*index)).collect(),
            placed,
            velocities: if given { Velocities::Given } else { Velocities::Differences },
        }
    }

    /// Whether all angles lie in one turn, as those of programs do that take whole turns off. Each is then continued
    /// from the one before by at most half a turn, since joints may compare angles.
    fn may_be_wrapped(&self) -> bool {
        let angles = || self.groups.iter().flat_map(|group| group.rows.values().map(|(pose, _)| pose.z));
        angles().all(|angle| angle.abs() <= PI) || angles().all(|angle| (0.0..=TAU).contains(&angle))
    }
}

/// Velocities from the poses before and after each sample; at both ends from that sample and its neighbour.
fn differentiate(times: &[f64], bodies: usize, placed: &mut [Placed]) {
    for sample in 0..times.len() {
        let (before, after) = (sample.saturating_sub(1), (sample + 1).min(times.len() - 1));
        let elapsed = times[after] - times[before];
        for body in 0..bodies {
            let [from, to] = [before, after].map(|sample| placed[sample * bodies + body].q);
            let moved = if elapsed > 0.0 { (to - from) / elapsed } else { DVec3::ZERO };
            placed[sample * bodies + body].v = moved;
        }
    }
}

/// The beginning of a text.
fn brief(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
