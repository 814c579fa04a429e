//! `driftlab list`: scenes, stabilizers and solvers, from the tables that the rest of the program uses.

use super::arguments::{ListArguments, What};
use super::failure::Failure;
use super::mark::tours;
use super::output::{aligned, print, print_json};
use crate::lcp;
use crate::lcp::Effort;
use crate::method::{Scheme, SchemeInfo};
use crate::parameter::{Parameter, ParameterKind};
use crate::peers;
use crate::scene::catalogue;
use crate::schemes;
use comfy_table::{Table, presets};
use serde_json::{Value, json};
use std::path::Path;

/// The heading of the solvers that no step uses.
const PROBLEM_SOLVERS: &str = "For `driftlab lcp`, which solves complementarity problems from a file:";

/// The heading of other engines.
const ENGINES: &str =
    "Other engines, which make the steps of a scene themselves, wherever a stabilizer is named:";

/// Runs the command.
pub(super) fn run(arguments: &ListArguments) -> Result<(), Failure> {
    let folder = arguments.tours.as_deref();
    if folder.is_some() && !matches!(arguments.what, What::Exercises) {
        return Err(Failure::wrong("--tours: only `list exercises` reads tours"));
    }
    match (arguments.what, arguments.json) {
        (What::Scenes, true) => print_json(&scenes()?)?,
        (What::Scenes, false) => print(&scene_lines()?)?,
        (What::Stabilizers, true) => {
            let all = schemes::TABLE.iter().chain(peers::schemes());
            print_json(&all.map(|scheme| scheme_json(scheme)).collect::<Vec<_>>())?
        }
        (What::Stabilizers, false) => {
            let own = paragraphs(schemes::TABLE.iter().map(|scheme| scheme_text(scheme.info())));
            print(&format!("{own}\n{ENGINES}\n\n{}", paragraphs(engines())))?;
        }
        (What::Solvers, true) => {
            let steps = lcp::solvers().map(|solver| step_solver_json(&solver));
            let problems = lcp::COMPLEMENTARITY.iter().map(|solver| solver_json(solver.info(), "lcp"));
            print_json(&steps.chain(problems).collect::<Vec<_>>())?;
        }
        (What::Solvers, false) => {
            let steps = paragraphs(lcp::solvers().map(|solver| step_solver_text(&solver)));
            let problems = lcp::COMPLEMENTARITY.iter().map(|solver| solver_text(solver.info()));
            print(&format!("{steps}\n{PROBLEM_SOLVERS}\n\n{}", paragraphs(problems)))?;
        }
        (What::Exercises, true) => print_json(&exercises(folder)?)?,
        (What::Exercises, false) => {
            let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let line = |own: &Value| (word(&own["key"]), word(&own["text"]));
            print(&aligned(&exercises(folder)?.iter().map(line).collect::<Vec<_>>()))?;
        }
    }
    Ok(())
}

/// The exercises of the course, and of the tours of a folder, with the links that open them.
fn exercises(folder: Option<&Path>) -> Result<Vec<Value>, Failure> {
    let tours = tours(folder)?;
    let each = tours.iter().enumerate().flat_map(|(index, tour)| {
        tour.exercises.iter().map(move |own| {
            json!({
                "key": own.key,
                "chapter": format!("{}. {}", index + 1, tour.name),
                "text": own.text,
                "link": format!("#exercise={}", own.key),
            })
        })
    });
    Ok(each.collect())
}

fn paragraphs(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join("\n")
}

fn scenes() -> Result<Vec<Value>, Failure> {
    let describe = |entry: &catalogue::Entry| {
        let scene = entry.scene().map_err(|problems| {
            Failure::Wrong(problems.iter().map(|p| format!("{}: {p}", entry.key)).collect())
        })?;
        let world = &scene.world;
        Ok(json!({
            "key": entry.key,
            "name": scene.name,
            "source": scene.source,
            "description": scene.description,
            "observe": scene.observe,
            "bodies": world.bodies().len(),
            "joints": world.joints().len(),
            "springs": world.springs().len(),
            "time_step": scene.settings.time_step,
            "duration": scene.settings.duration,
            "stabilizer": format!("{:?}", scene.settings.method.stabilizer),
        }))
    };
    catalogue::entries().iter().map(describe).collect()
}

fn scene_lines() -> Result<String, Failure> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |scene: &Value| {
        let name = format!("{}: {}", word(&scene["name"]), word(&scene["description"]));
        (word(&scene["key"]), name)
    };
    Ok(aligned(&scenes()?.iter().map(line).collect::<Vec<_>>()))
}

/// The other engines: what this program has of them, or that it has them not.
fn engines() -> impl Iterator<Item = String> {
    peers::NAMES.iter().map(|(key, _)| match peers::stabilizer(key) {
        Some(own) => scheme_text(own.info()),
        None => format!("{key}: {}\n", peers::missing(key).unwrap_or_default()),
    })
}

fn scheme_text(info: &SchemeInfo) -> String {
    let levels: Vec<_> = info.levels.iter().map(|level| level.key()).collect();
    let mut text = format!(
        "{}: {}\n  {}\n  {}\n  source: {}\n  origin: {}\n  level: {}\n",
        info.key,
        info.name,
        info.equation,
        info.summary,
        info.source,
        info.origin.name(),
        levels.join(" or ")
    );
    if !info.departures.is_empty() {
        text.push_str("  departures:\n");
        for (number, departure) in (1..).zip(info.departures) {
            text.push_str(&format!("   {number}. {departure}\n"));
        }
    }
    text.push_str(&parameter_table("parameters", info.parameters));
    for language in info.languages.iter().filter(|language| language.in_files) {
        text.push_str(&parameter_table(&format!("or, as {}", language.name), language.parameters));
    }
    text
}

fn scheme_json(scheme: &'static Scheme) -> Value {
    let info = scheme.info();
    let own = |(index, parameter): (usize, &Parameter)| {
        let mut value = parameter_json(parameter);
        if let Some(most) = info.per_step.get(index) {
            value["default_per_step"] = json!(most);
        }
        value
    };
    let languages = info.languages.iter().filter(|language| language.in_files);
    json!({
        "key": info.key,
        "name": info.name,
        "equation": info.equation,
        "summary": info.summary,
        "source": info.source,
        "origin": info.origin.name(),
        "departures": info.departures,
        "levels": info.levels.iter().map(|level| level.key()).collect::<Vec<_>>(),
        "parameters": info.parameters.iter().enumerate().map(own).collect::<Vec<_>>(),
        "languages": languages.map(|language| json!({
            "name": language.name,
            "parameters": language.parameters.iter().map(parameter_json).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

/// A solver that a step can use; for `auto`, its policy as well.
fn step_solver_text(solver: &lcp::Solver) -> String {
    let text = solver_text(solver.info());
    if !solver.is_automatic() {
        return text;
    }
    let bounded = "attempts of a bounded effort, in more than 100 rows without joints behind their first step; the others follow";
    text + &policy_table("attempts, until one of them solves the island", Effort::Exact)
        + &policy_table(bounded, Effort::Bounded)
}

fn step_solver_json(solver: &lcp::Solver) -> Value {
    let mut value = solver_json(solver.info(), "step");
    if solver.is_automatic() {
        let attempt = |row: lcp::PolicyRow| json!({ "when": row.when, "from": row.from, "solver": row.solver, "effort": row.effort, "reason": row.reason });
        value["policy"] = lcp::policy(Effort::Exact).map(attempt).collect();
        value["bounded_policy"] = lcp::policy(Effort::Bounded).map(attempt).collect();
    }
    value
}

/// The attempts of the solver `auto` at an effort, in their order.
fn policy_table(title: &str, effort: Effort) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["", "on islands", "from", "solver", "effort", "because"]);
    for (number, row) in (1..).zip(lcp::policy(effort)) {
        let lcp::PolicyRow { when, from, solver, effort, reason } = row;
        table.add_row([
            number.to_string(),
            when,
            from.to_owned(),
            solver.to_owned(),
            effort,
            reason.to_owned(),
        ]);
    }
    format!("  {title}:\n{}", indented(&table))
}

fn indented(table: &Table) -> String {
    table.to_string().lines().map(|line| format!("   {}\n", line.trim_end())).collect()
}

fn solver_text(info: &lcp::SolverInfo) -> String {
    let parameters = parameter_table("parameters", info.parameters);
    format!("{}: {}\n  {}\n  source: {}\n{parameters}", info.key, info.name, info.summary, info.source)
}

fn solver_json(info: &lcp::SolverInfo, serves: &str) -> Value {
    json!({
        "serves": serves,
        "key": info.key,
        "name": info.name,
        "summary": info.summary,
        "source": info.source,
        "parameters": info.parameters.iter().map(parameter_json).collect::<Vec<_>>(),
    })
}

fn parameter_table(heading: &str, parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["name", "symbol", "unit", "range", "default", "meaning"]);
    for parameter in parameters {
        table.add_row([
            parameter.key.to_owned(),
            parameter.symbol.to_owned(),
            parameter.unit.to_owned(),
            parameter.range(),
            default_of(parameter),
            parameter.meaning.to_owned(),
        ]);
    }
    format!("  {heading}:\n{}", indented(&table))
}

fn parameter_json(parameter: &Parameter) -> Value {
    let (kind, words): (_, &[&str]) = match parameter.kind {
        ParameterKind::Logarithmic => ("logarithmic", &[]),
        ParameterKind::Linear => ("linear", &[]),
        ParameterKind::Bound => ("bound", &[]),
        ParameterKind::Integer => ("integer", &[]),
        ParameterKind::Choice(words) => ("choice", words),
    };
    let default = match parameter.word(parameter.default) {
        Some(word) => json!(word),
        None => json!(parameter.default),
    };
    json!({
        "key": parameter.key,
        "name": parameter.name,
        "symbol": parameter.symbol,
        "unit": parameter.unit,
        "kind": kind,
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
        "choices": words,
        "default": default,
        "range": parameter.range(),
        "meaning": parameter.meaning,
    })
}

fn default_of(parameter: &Parameter) -> String {
    parameter.word(parameter.default).map_or_else(|| parameter.default.to_string(), str::to_owned)
}
