//! What `driftlab converge` prints: two tables and what their marks mean, or JSON.

use crate::experiment::converge::{
    Cell, Convergence, Errors, Kind, MethodErrors, RESOLVED, SATURATED, Standing, spelled,
};
use crate::numbers::four_digits;
use crate::scene::shown;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};

/// The errors that have an order beside them in the first table; all have one in the second.
const WITH_ORDER: [Kind; 4] = [Kind::Position, Kind::Velocity, Kind::Energy, Kind::Constraint];
/// Kinds without a column of orders.
const WITHOUT: [Kind; 2] = [Kind::Angle, Kind::AngularVelocity];
/// Shown where there is no number.
const NOTHING: &str = "–";

/// Both tables and the notes.
pub(super) fn text(convergence: &Convergence) -> String {
    let title = format!("{}, {}\n", shown(&convergence.scene), compared(convergence));
    let (errors, orders) = (errors(convergence), orders(convergence));
    format!(
        "{title}{}\n{errors}\n\nfitted orders\n{orders}\n{}",
        reference(convergence),
        notes(convergence)
    )
}

fn compared(convergence: &Convergence) -> String {
    let steps = &convergence.plan.steps;
    let interval = steps.interval();
    let asked = |asked| format!(" (of {asked} s, rounded to a multiple of the largest time step)");
    let asked = steps.asked().map_or_else(String::new, asked);
    let rounded = if steps.is_rounded() {
        format!("; time steps rounded so that they divide {interval} s")
    } else {
        String::new()
    };
    format!("{} s{asked}, compared every {interval} s{rounded}", shortened(steps.duration()))
}

/// A duration without the rounding error of its multiplication.
fn shortened(time: f64) -> f64 {
    (time * 1e9).round() / 1e9
}

/// The reference, and how far it moves when its time step is doubled.
fn reference(convergence: &Convergence) -> String {
    let of_reference = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Constraint);
    let moved =
        |kind: Kind| format!("{} {}", four_digits(convergence.movement[kind]), convergence.unit(kind));
    let moved: Vec<String> = of_reference.map(moved).collect();
    format!(
        "reference: {} at h = {} s, the smallest over {}; when its time step is doubled it moves by\n  {}",
        spelled(&convergence.plan.reference),
        four_digits(convergence.reference_step),
        convergence.plan.refined,
        moved.join(", ")
    )
}

fn new_table(header: Vec<String>, left: usize) -> (Table, usize) {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_BORDERS_ONLY_CONDENSED);
    table.set_header(header);
    (table, left)
}

fn aligned((mut table, left): (Table, usize)) -> Table {
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A row for each scheme and time step.
fn errors(convergence: &Convergence) -> Table {
    let mut header = vec!["scheme".to_owned(), "h\n(s)".to_owned()];
    let named = |kind: Kind| format!("{}\n({})", kind.name(), convergence.unit(kind));
    for kind in WITH_ORDER {
        header.extend([named(kind), "order".to_owned()]);
    }
    header.extend(WITHOUT.map(named));
    header.extend(["step\n(µs)".to_owned(), "run\n(s)".to_owned()]);
    let (mut table, left) = new_table(header, 1);
    for line in &convergence.lines {
        let orders = WITH_ORDER.map(|kind| convergence.orders(line, kind));
        for (index, cell) in line.cells.iter().enumerate() {
            let label = if index == 0 { line.label.clone() } else { String::new() };
            let mut row = vec![label, four_digits(cell.h)];
            match &cell.errors {
                Err(failure) => {
                    row.push(short(failure));
                    row.extend(vec![String::new(); 2 * WITH_ORDER.len() - 1 + WITHOUT.len()]);
                }
                Ok(errors) => {
                    for (place, kind) in WITH_ORDER.into_iter().enumerate() {
                        row.push(marked(convergence, kind, errors));
                        row.push(orders[place][index].map_or_else(blank, order));
                    }
                    row.extend(WITHOUT.map(|kind| marked(convergence, kind, errors)));
                }
            }
            row.extend([four_digits(cell.step_us), four_digits(cell.total)]);
            table.add_row(row);
        }
    }
    aligned((table, left))
}

/// The time at which a run failed; the reason is printed on stderr.
fn short(failure: &str) -> String {
    failure.split_once(':').map_or(failure, |(when, _)| when).to_owned()
}

fn blank() -> String {
    NOTHING.to_owned()
}

fn order(order: f64) -> String {
    format!("{order:.2}")
}

/// An error, with a mark if the reference does not resolve it or if it is saturated.
fn marked(convergence: &Convergence, kind: Kind, errors: &Errors) -> String {
    let error = four_digits(errors[kind]);
    match convergence.standing(kind, errors[kind]) {
        Standing::Unresolved => format!("{error} *"),
        Standing::Saturated => format!("{error} +"),
        Standing::Sound => format!("{error}  "),
    }
}

/// A row for each scheme: the fitted order of each error.
fn orders(convergence: &Convergence) -> Table {
    let mut header = vec!["scheme".to_owned()];
    header.extend(Kind::ALL.map(|kind| kind.name().replace(' ', "\n")));
    let (mut table, left) = new_table(header, 1);
    for line in &convergence.lines {
        let fitted = |kind| convergence.fit(line, kind).map_or_else(blank, |fit| order(fit.order));
        let mut row = vec![line.label.clone()];
        row.extend(Kind::ALL.map(fitted));
        table.add_row(row);
    }
    aligned((table, left))
}

fn notes(convergence: &Convergence) -> String {
    let all = || {
        let cells = convergence.lines.iter().flat_map(|line| &line.cells);
        let errors = cells.filter_map(|cell| cell.errors.as_ref().ok());
        errors.flat_map(|errors| Kind::ALL.map(|kind| convergence.standing(kind, errors[kind])))
    };
    let mut notes = String::new();
    if all().any(|standing| standing == Standing::Unresolved) {
        notes += &format!(
            "* not resolved: at most {RESOLVED} times what the reference moves by, or rounding; not fitted \
             (--refine, or --reference with a scheme of higher order, resolves more)\n"
        );
    }
    if all().any(|standing| standing == Standing::Saturated) {
        notes += &format!(
            "+ saturated: more than {SATURATED} of the motion itself; not fitted (a smaller h or a shorter --time helps)\n"
        );
    }
    notes
}

/// Tables and reference as JSON; `timing` is measured and differs from run to run.
pub(super) fn json(convergence: &Convergence) -> Value {
    let steps = &convergence.plan.steps;
    let numbers = |errors: &Errors| by_kind(|kind| json!(errors[kind]));
    json!({
        "scene": convergence.scene,
        "duration": steps.duration(),
        "interval": steps.interval(),
        "reference": {
            "scheme": spelled(&convergence.plan.reference),
            "time_step": convergence.reference_step,
            "movement": numbers(&convergence.movement),
        },
        "extent": numbers(&convergence.extent),
        "schemes": convergence.lines.iter().map(|line| line_json(convergence, line)).collect::<Vec<_>>(),
    })
}

fn by_kind(value: impl Fn(Kind) -> Value) -> Value {
    Value::Object(
        Kind::ALL.into_iter().map(|kind| (kind.key().to_owned(), value(kind))).collect::<Map<_, _>>(),
    )
}

fn line_json(convergence: &Convergence, line: &MethodErrors) -> Value {
    let fitted = |kind| {
        let fit = convergence.fit(line, kind);
        fit.map_or(Value::Null, |fit| json!({ "order": fit.order, "points": fit.points }))
    };
    let row = |(index, cell): (usize, &Cell)| {
        let errors = |kind: Kind| match &cell.errors {
            Err(_) => Value::Null,
            Ok(errors) => json!({
                "error": errors[kind],
                "order": convergence.orders(line, kind)[index],
                "standing": standing(convergence.standing(kind, errors[kind])),
            }),
        };
        json!({
            "time_step": cell.h,
            "steps": cell.steps,
            "errors": by_kind(errors),
            "failure": cell.errors.as_ref().err(),
            "timing": { "step_us": cell.step_us, "run_s": cell.total },
        })
    };
    json!({
        "scheme": line.label,
        "level": line.method.level.key(),
        "integrator": line.integrator().map(|integrator| integrator.key()),
        "fitted": by_kind(fitted),
        "time_steps": line.cells.iter().enumerate().map(row).collect::<Vec<_>>(),
    })
}

fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Unresolved => "unresolved",
        Standing::Sound => "sound",
        Standing::Saturated => "saturated",
    }
}
