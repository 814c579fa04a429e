//! `comparison.md`, `comparison.csv` and, apart from them because no two runs agree on it, the times per step.

use super::{CaseFigures, Cell, Comparison, Timing};
use crate::document::significant;
use driftlab::figure;
use driftlab::numbers::shortest;

/// What the columns mean.
const HEAD: &str = "# Schemes compared\n\n\
    Written by `driftlab-evidence figures`: every scheme with its default parameters on the same seven problems. *Constraint error* \
    is the largest joint or contact error of the run; *position error* the largest distance of a body from where a \
    converged reference has it; *energy drift* the largest departure of the energy from its start (impacts and \
    friction dissipate, too); *work* the energy that the correction added to the system; *delay* \
    how late the motion is, by a mass-weighted least-squares fit along the reference's velocity (negative: early). Times \
    per step are in `comparison-timings.csv`, errors against computing time in `work-precision-*.svg`, \
    and what each scheme reaches at equal cost in [equal-cost.md](equal-cost.md). The engines themselves stand in \
    [beside.md](beside.md), `soft` beside Box2D with what explains their differences.\n";

/// The velocity-level schemes of first order that correct positions, among which the smallest constraint error and the
/// largest phase error are compared.
const CORRECTING: [&str; 4] = ["baumgarte_velocity", "anitescu_hart", "implicit", "post_stabilization"];
/// The two schemes whose comparison shows the cause: both correct positions, and the second corrects velocities, too.
const POST: &str = "post_stabilization";
const PROJECTION: &str = "projection";

/// The page.
pub fn markdown(all: &[Comparison]) -> String {
    let mut text = HEAD.to_owned();
    for comparison in all {
        let case = comparison.case;
        let uncertainty = match comparison.uncertainty {
            Some(distance) => format!(
                "it moves by {} m when its own time step is doubled, so that position errors of that size are not resolved",
                significant(distance)
            ),
            None => "it fails, so that there are no errors of position".to_owned(),
        };
        text += &format!(
            "\n## {}\n\nScene `{}`, h = {} s, {} s. Reference: `{}` at h/{}; {uncertainty}.\n\n",
            case.name,
            case.scene,
            significant(case.time_step),
            case.duration,
            case.reference.scheme,
            case.reference.refined
        );
        text += "| scheme | constraint error / m | position error / m | energy drift / J | work / J | delay / ms |\n|---|---|---|---|---|---|\n";
        text += &comparison.cells.iter().map(row).collect::<String>();
        for instability in comparison.cells.iter().filter_map(|cell| cell.instability.as_ref()) {
            text += &format!("\n{instability}.\n");
        }
    }
    text + &observation(all)
}

fn row(cell: &Cell) -> String {
    let CaseFigures { constraint_error, position_error, energy_drift, correction_work, phase_error } =
        match &cell.figures {
            Ok(figures) => *figures,
            Err(failure) => return format!("| `{}` | {failure} | | | | |\n", cell.scheme),
        };
    let optional = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), significant);
    format!(
        "| `{}` | {} | {} | {} | {} | {} |\n",
        cell.scheme,
        significant(constraint_error),
        optional(position_error),
        significant(energy_drift),
        significant(correction_work),
        optional(phase_error.map(|tau| 1e3 * tau))
    )
}

/// The section on schemes with a small constraint error and yet a large phase error, such as post-stabilization: this
/// run's numbers, and the cause.
///
/// On a circle, with Δθ the angle that a step covers: a velocity along the tangent at q points outward by Δθ at the
/// next pose, and projecting it leaves |v| cos Δθ. With g/h in the velocity solve, the velocity points inward by
/// Δθ/2, along the chord; the impulse turns it from Δθ/2 outward to Δθ/2 inward and leaves |v|.
fn observation(all: &[Comparison]) -> String {
    let mut text = String::from("\n## A small constraint error is not a small error\n\n");
    for comparison in all.iter().filter(|comparison| comparison.case.reference.scheme == "rattle") {
        text += &observed(comparison).unwrap_or_default();
    }
    text + "\nThe cause is what the step does to the velocity. Post-stabilization never corrects it: the velocity is tangential \
        at the old pose and points outward by the step's angle Δθ at the new one, where the next solve keeps only v cos Δθ. \
        This loss of energy is of first order in h, and the motion falls behind. With g/h in the solve the velocity points \
        along the chord, inward by half the angle, and the next impulse turns it by Δθ without changing its size: that is the \
        work in the table. Bringing the velocity onto the manifold as well does not help: `projection` has the phase error \
        of post-stabilization, since it projects what the next solve would have projected.\n"
}

/// The correcting first-order schemes with the smallest constraint error, the largest delay, the largest position error.
fn observed(comparison: &Comparison) -> Option<String> {
    let kind = |cell: &Cell| cell.scheme.split(',').next().unwrap_or_default().to_owned();
    let figures: Vec<(String, CaseFigures)> =
        comparison.cells.iter().filter_map(|cell| Some((kind(cell), cell.figures.clone().ok()?))).collect();
    let of = |key: &str| figures.iter().find(|(kind, _)| kind == key).map(|(_, figures)| *figures);
    let correcting = || figures.iter().filter(|(kind, _)| CORRECTING.contains(&kind.as_str()));
    let ranked = |value: fn(&CaseFigures) -> f64| {
        let mut ranked: Vec<(&str, f64)> =
            correcting().map(|(kind, figures)| (kind.as_str(), value(figures))).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    };
    let (tightest, error) = *ranked(|figures| figures.constraint_error).last()?;
    let phases = ranked(|figures| figures.phase_error.unwrap_or_default().abs());
    let distances = ranked(|figures| figures.position_error.unwrap_or_default());
    let ([(latest, phase), (next, less), ..], [(farthest, distance), (nearer, near), ..]) =
        (phases.as_slice(), distances.as_slice())
    else {
        return None;
    };
    let delay = |key| Some(significant(1e3 * of(key)?.phase_error?));
    Some(format!(
        "- {}: of the first-order velocity-level schemes that correct positions, `{tightest}` has the smallest constraint error, {} m; \
         `{latest}` the largest phase error, {} ms (next `{next}`, {} ms); `{farthest}` the largest position error, {} m (next \
         `{nearer}`, {} m). Delay under `{POST}` {} ms, under `{PROJECTION}` {} ms.\n",
        comparison.case.name,
        significant(error),
        significant(1e3 * phase),
        significant(1e3 * less),
        significant(*distance),
        significant(*near),
        delay(POST)?,
        delay(PROJECTION)?,
    ))
}

/// The numbers of the page.
pub fn csv(all: &[Comparison]) -> String {
    const HEAD: [&str; 10] = [
        "case",
        "scheme",
        "time_step",
        "constraint_error",
        "position_error",
        "reference_uncertainty",
        "energy_drift",
        "correction_work",
        "delay",
        "failure",
    ];
    let optional = |value: Option<f64>| value.map_or_else(String::new, shortest);
    let row = |comparison: &Comparison, cell: &Cell| {
        let (figures, failure) = match &cell.figures {
            Err(failure) => (None, failure.clone()),
            Ok(figures) => (Some(figures), String::new()),
        };
        vec![
            comparison.case.id.to_owned(),
            cell.scheme.to_string(),
            shortest(comparison.case.time_step),
            optional(figures.map(|own| own.constraint_error)),
            optional(figures.and_then(|own| own.position_error)),
            optional(comparison.uncertainty),
            optional(figures.map(|own| own.energy_drift)),
            optional(figures.map(|own| own.correction_work)),
            optional(figures.and_then(|own| own.phase_error)),
            failure,
        ]
    };
    let rows = all.iter().flat_map(|of| of.cells.iter().map(move |cell| row(of, cell)));
    figure::csv([HEAD.map(str::to_owned).to_vec()].into_iter().chain(rows))
}

/// Times per step and the errors at the same time steps.
pub fn timings_csv(all: &[(&Comparison, &Timing)]) -> String {
    let head = ["case", "scheme", "time_step", "step_us", "position_error"].map(str::to_owned).to_vec();
    let optional = |value: Option<f64>| value.map_or_else(String::new, shortest);
    let mut rows = vec![head];
    for (comparison, timing) in all {
        for (index, cell) in comparison.cells.iter().enumerate() {
            for (place, h) in comparison.case.steps().into_iter().enumerate() {
                let (us, error) = (timing[index][place], comparison.precision[index][place]);
                let (case, scheme) = (comparison.case.id.to_owned(), cell.scheme.to_string());
                rows.push(vec![case, scheme, shortest(h), optional(us), optional(error)]);
            }
        }
    }
    figure::csv(rows)
}
