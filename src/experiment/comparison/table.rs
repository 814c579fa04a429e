//! `comparison.md`, `comparison.csv` and, apart from them because no two runs agree on it, the times per step.

use super::{Cell, Comparison, Figures, Timing};
use crate::experiment::figures::significant;
use crate::experiment::record::shortest;

/// What the columns mean.
const HEAD: &str = "# Schemes compared\n\n\
    Written by `driftlab figures`: every scheme with its default parameters on the same six problems. *Constraint error* \
    is the largest joint or contact error of the run; *position error* the largest distance of a body from where a \
    converged reference has it; *energy drift* the largest departure of the energy from its start, as a share of the \
    largest kinetic energy (impacts and friction dissipate, too); *work* what the correction put into the system; *delay* \
    how late the motion is, by a mass-weighted least-squares fit along the reference's velocity (negative: early). Times \
    per step stand in `comparison-timings.csv`, errors against computing time in `work-precision-*.svg`.\n";

/// The schemes among which the smallest constraint error and the largest phase error are compared: first order, one
/// linear problem for the velocities.
const FIRST_ORDER: [&str; 5] =
    ["none", "baumgarte_velocity", "anitescu_hart", "implicit", "post_stabilization"];

/// The page.
pub fn markdown(all: &[Comparison]) -> String {
    let mut text = HEAD.to_owned();
    for comparison in all {
        let case = comparison.case;
        let uncertainty = match comparison.uncertainty {
            Some(distance) => format!(
                "it moves by {} m when its own time step is doubled, so that position errors near that are not resolved",
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
        text += "| scheme | constraint error / m | position error / m | energy drift | work / J | delay / ms |\n|---|---|---|---|---|---|\n";
        text += &comparison.cells.iter().map(row).collect::<String>();
    }
    text + &observation(all)
}

fn row(cell: &Cell) -> String {
    let Figures { constraint_error, position_error, energy_drift, correction_work, phase_error } =
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
        optional(energy_drift),
        significant(correction_work),
        optional(phase_error.map(|tau| 1e3 * tau))
    )
}

/// Post-stabilization has the smallest constraint error and yet the largest phase error: said with this run's numbers,
/// or denied by them.
fn observation(all: &[Comparison]) -> String {
    let mut text = String::from("\n## A small constraint error is not a small error\n\n");
    for comparison in all.iter().filter(|comparison| comparison.case.reference.scheme == "rattle") {
        text += &observed(comparison).unwrap_or_default();
    }
    text + "\nThe cause: post-stabilization moves the bodies back onto the joints and leaves their velocities, which belong to \
        the pose before the correction. The velocity's component across the joints at the new pose is removed by the next \
        step without having been of use, while schemes that correct through the velocity (g/h in the same solve) carry \
        the correction along in the motion. `none` leaves both errors and so drifts; `projection` and `rattle` also \
        bring the velocity onto the manifold.\n"
}

/// The first-order schemes with the smallest constraint error and with the largest delay.
fn observed(comparison: &Comparison) -> Option<String> {
    let first_order =
        |cell: &&Cell| FIRST_ORDER.contains(&cell.scheme.split(',').next().unwrap_or_default());
    let cells = comparison.cells.iter().filter(first_order);
    let figures: Vec<(&str, Figures)> =
        cells.filter_map(|cell| Some((cell.scheme.as_str(), cell.figures.clone().ok()?))).collect();
    let delay = |figures: &Figures| figures.phase_error.unwrap_or_default().abs();
    let (tightest, error) =
        figures.iter().min_by(|a, b| a.1.constraint_error.total_cmp(&b.1.constraint_error))?;
    let (latest, phase) = figures.iter().max_by(|a, b| delay(&a.1).total_cmp(&delay(&b.1)))?;
    let rest = figures.iter().filter(|(name, _)| name != latest).map(|(_, figures)| delay(figures));
    let next = rest.fold(0.0, f64::max);
    let verdict = match tightest == latest {
        true => "the same scheme, here",
        false => "not the same scheme, here",
    };
    Some(format!(
        "- {}: of the five first-order schemes `{tightest}` has the smallest constraint error, {} m, and `{latest}` the \
         largest phase error, {} ms (the next one {} ms): {verdict}.\n",
        comparison.case.name,
        significant(error.constraint_error),
        significant(1e3 * delay(phase)),
        significant(1e3 * next)
    ))
}

/// The numbers of the page.
pub fn csv(all: &[Comparison]) -> String {
    let mut text = String::from(
        "case,scheme,time_step,constraint_error,position_error,reference_uncertainty,energy_drift,correction_work,delay,failure\n",
    );
    let optional = |value: Option<f64>| value.map_or_else(String::new, shortest);
    for comparison in all {
        let uncertainty = optional(comparison.uncertainty);
        for cell in &comparison.cells {
            let start = format!(
                "{},\"{}\",{}",
                comparison.case.id,
                cell.scheme,
                shortest(comparison.case.time_step)
            );
            text += &match &cell.figures {
                Err(failure) => format!("{start},,,{uncertainty},,,,\"{}\"\n", failure.replace('"', "'")),
                Ok(figures) => format!(
                    "{start},{},{},{uncertainty},{},{},{},\n",
                    shortest(figures.constraint_error),
                    optional(figures.position_error),
                    optional(figures.energy_drift),
                    shortest(figures.correction_work),
                    optional(figures.phase_error)
                ),
            };
        }
    }
    text
}

/// Times per step and the errors at the same time steps.
pub fn timings_csv(all: &[(&Comparison, &Timing)]) -> String {
    let mut text = String::from("case,scheme,time_step,step_us,position_error\n");
    let optional = |value: Option<f64>| value.map_or_else(String::new, shortest);
    for (comparison, timing) in all {
        for (index, cell) in comparison.cells.iter().enumerate() {
            for (place, h) in comparison.case.steps().into_iter().enumerate() {
                let (us, error) = (timing[index][place], comparison.precision[index][place]);
                let start = format!("{},\"{}\",{}", comparison.case.id, cell.scheme, shortest(h));
                text += &format!("{start},{},{}\n", optional(us), optional(error));
            }
        }
    }
    text
}
