//! The figures of a recording as rows of label and value.

use super::{Extreme, Judged, WorkSplit};
use crate::numbers::four_digits;
use driftlab_probe::format::Precision;

/// Rows of joints and of pairs that a table lists at most, the worst ones; `--json` lists all.
const MOST_LISTED: usize = 8;

/// A figure with its unit: the largest, when, and the mean.
pub(crate) fn extreme(own: &Extreme, unit: &str) -> String {
    let [largest, at, mean] = [own.largest, own.at, own.mean].map(four_digits);
    if own.largest == 0.0 {
        format!("0 {unit}")
    } else {
        format!("{largest} {unit} at {at} s, mean {mean}")
    }
}

/// The figures of a file as rows of label and value; a label that begins with two blanks belongs to the row above it.
pub(crate) fn words(name: &str, own: &Judged) -> Vec<(String, String)> {
    let mut rows = Rows::default();
    let version = own.engine.version.as_deref().map_or_else(String::new, |own| format!(" {own}"));
    let digits = match own.precision {
        Precision::F32 => "single precision",
        Precision::F64 => "double precision",
    };
    rows.add("recording", name.to_owned());
    rows.add("engine", format!("{}{version}, {digits}", own.engine.name));
    let [start, end] = own.time.map(four_digits);
    rows.add("time", format!("{start} s to {end} s, {} steps", own.steps));
    rows.figure("largest joint error", &own.joint_error, "m");
    rows.figure("  as the engine says", &own.engine_joint_error, "m");
    rows.figure("largest joint angle error", &own.joint_angle, "rad");
    let says_angle = own.engine_joint_angle.filter(|says| own.joint_angle.is_some() || says.largest > 0.0);
    rows.figure("  angle as the engine says", &says_angle, "rad");
    rows.figure("  largest difference", &own.joint_difference, "m or rad");
    rows.figure("largest joint rate", &own.joint_rate, "m/s");
    rows.figure("largest joint turning", &own.joint_turning, "rad/s");
    rows.figure("largest limit violation", &own.limit_error, "m");
    rows.figure("largest limit violation", &own.limit_angle, "rad");
    rows.figure("largest penetration", &own.penetration, "m");
    let says = own.engine_penetration.filter(|says| own.penetration.is_some() || says.largest > 0.0);
    rows.figure("  as the engine says", &says, "m");
    rows.figure("  largest difference of gaps", &own.gap_difference, "m");
    if let Some(momentum) = &own.momentum {
        rows.add("momentum not accounted for", extreme(&momentum.linear, "N s"));
        rows.add("  of turning", extreme(&momentum.angular, "N m s"));
        rows.add("  share of the largest impulse", extreme(&momentum.share, ""));
        rows.add("  in rounding units", extreme(&momentum.roundings, ""));
    }
    if let Some(pull) = own.pulling {
        rows.add("largest pull of a contact", format!("{} N s", four_digits(pull)));
    }
    rows.figure("contacts, normal |p w|", &own.complementarity, "J");
    rows.figure("  gap of one that pushes", &own.pushing_gap, "m");
    rows.figure("friction beyond its cone", &own.beyond_cone, "N s");
    rows.figure("friction that drives", &own.driving_friction, "J");
    rows.figure("motors beyond their bound", &own.beyond_motor, "N s or N m s");
    rows.figure("limits that pull", &own.pulling_limit, "N s or N m s");
    rows.figure("springs beside their law", &own.spring_law, "N s or N m s");
    rows.figure("  share of the spring's impulse", &own.spring_share, "");
    rows.figure("error of rebounds", &own.rebound_error, "m/s");
    if let Some(impacts) = own.impacts {
        let ratio = four_digits(impacts.restitution);
        rows.add("  impacts", format!("{}, −w/w⁻ on average {ratio}", impacts.count));
    }
    energy(&mut rows, own);
    yardsticks(&mut rows, own);
    listed(&mut rows, own);
    own.missing.iter().for_each(|text| rows.split(text));
    own.notes.iter().for_each(|text| rows.add("note", text.clone()));
    own.left_out.iter().for_each(|text| rows.add("left out", text.clone()));
    if own.cut_off > 0 {
        rows.add("cut off", format!("the last {} bytes are no whole line, and are not read", own.cut_off));
    }
    rows.0
}

fn energy(rows: &mut Rows, own: &Judged) {
    let energy = &own.energy;
    if let (Some(before), Some(after)) = (energy.first.total(), energy.last.total()) {
        rows.add("energy", format!("{} J to {} J", four_digits(before), four_digits(after)));
    }
    if let Some(work) = &energy.work {
        for (name, work) in
            work.parts().into_iter().filter(|(name, work)| *work != 0.0 || *name == "method")
        {
            rows.add(&WorkSplit::label(name), format!("{} J", four_digits(work)));
        }
    }
    if let Some(size) = energy.method_size {
        rows.add("  sum of its sizes", format!("{} J", four_digits(size)));
    }
}

fn yardsticks(rows: &mut Rows, own: &Judged) {
    let yardsticks = &own.yardsticks;
    let told = [
        ("creep of what should stick", yardsticks.creep, "m/s"),
        ("sag of joints at rest", yardsticks.sag_of_joints, "m"),
        ("sag of contacts at rest", yardsticks.sag_of_contacts, "m"),
        ("stretch of joints", yardsticks.stretch_share, "of their length"),
        ("half-life of joint errors", yardsticks.half_life_of_joints, "s"),
        ("half-life of overlaps", yardsticks.half_life_of_contacts, "s"),
        ("settling time", yardsticks.settling_time, "s"),
    ];
    for (label, value, unit) in told {
        if let Some(value) = value {
            rows.add(label, format!("{} {unit}", four_digits(value)));
        }
    }
}

/// The worst joints and pairs, where there are several.
fn listed(rows: &mut Rows, own: &Judged) {
    let mut joints: Vec<_> = own.joints.iter().filter_map(|joint| Some((joint, joint.linear?))).collect();
    joints.sort_by(|(_, one), (_, other)| other.largest.total_cmp(&one.largest));
    if joints.len() > 1 {
        for (joint, error) in joints.iter().take(MOST_LISTED).filter(|(_, own)| own.largest > 0.0) {
            let [a, b] = &joint.bodies;
            let label = format!("  {} {}: {a} – {b}", joint.kind, joint.joint);
            rows.0.push((label, extreme(error, "m")));
        }
    }
    let mut pairs: Vec<_> = own.pairs.iter().filter_map(|pair| Some((pair, pair.penetration?))).collect();
    pairs.sort_by(|(_, one), (_, other)| other.largest.total_cmp(&one.largest));
    if pairs.len() > 1 {
        for (pair, overlap) in pairs.iter().take(MOST_LISTED) {
            let [a, b] = &pair.bodies;
            let creep = pair
                .creep
                .map_or_else(String::new, |creep| format!(", creep {} m/s", four_digits(creep.mean)));
            rows.0.push((format!("  contact: {a} – {b}"), extreme(overlap, "m") + &creep));
        }
    }
}

/// Rows of label and value.
#[derive(Default)]
struct Rows(Vec<(String, String)>);

impl Rows {
    fn add(&mut self, label: &str, value: String) {
        self.0.push((label.to_owned(), value));
    }

    fn figure(&mut self, label: &str, value: &Option<Extreme>, unit: &str) {
        value.iter().for_each(|own| self.add(label, extreme(own, unit)));
    }

    /// A sentence whose beginning, up to a colon, is its label.
    fn split(&mut self, text: &str) {
        let (label, value) = text.split_once(": ").unwrap_or(("note", text));
        self.add(label, value.to_owned());
    }
}
