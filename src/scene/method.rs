//! Reads scheme and solver, from scene files and from the command line, by the tables of schemes and solvers.

use super::expected::{Expected, SOLVER, STABILIZER};
use super::reader::Cursor;
use super::synonyms::meant;
use super::write::{number, object};
use crate::lcp::{self, Solver};
use crate::method::{Language, Stabilizer};
use crate::parameter::{Parameter, ParameterError, ParameterKind, Values};
use crate::peers;
use crate::schemes;
use serde_json::{Value, json};

/// A parameter's value as given: a number or a word.
enum Given {
    Number(f64),
    Word(String),
}

/// A parameter's name with its value.
type Setting = (String, Given);

/// Reads `KIND[,key=value…]`, the command line's way to name a scheme: all parameters that are not given have their
/// defaults at the time step `h`, s.
///
/// # Errors
/// What is wrong and what was expected.
pub fn stabilizer_from(text: &str, h: f64) -> Result<Stabilizer, String> {
    let (kind, given) = split(text)?;
    let mut stabilizer = stabilizer_of_kind(kind)?;
    let native = stabilizer.info().parameters;
    let languages = stabilizer.info().languages;
    assign(&mut stabilizer.values, native, languages, &given, h).map_err(|(_, message)| message)?;
    stabilizer.follow_step(h);
    Ok(stabilizer)
}

/// Reads `KIND[,key=value…]`, the command line's way to name a solver.
///
/// # Errors
/// What is wrong and what was expected.
pub fn solver_from(text: &str) -> Result<Solver, String> {
    let (kind, given) = split(text)?;
    let mut solver = solver_of_kind(kind)?;
    let native = solver.info().parameters;
    assign(&mut solver.values, native, &[], &given, 0.0).map_err(|(_, message)| message)?;
    Ok(solver)
}

/// Reads `settings.stabilizer`; `h` is the time step, s.
pub(super) fn read_stabilizer(cursor: &Cursor<'_>, h: f64) -> Option<Stabilizer> {
    cursor.expects(|| Expected::Defined(STABILIZER));
    let (mut stabilizer, given) = read(cursor, "a stabilizer {\"kind\": …}", stabilizer_of_kind)?;
    let native = stabilizer.info().parameters;
    let languages = stabilizer.info().languages;
    note(assign(&mut stabilizer.values, native, languages, &given.values, h), cursor, &given.cursors)?;
    stabilizer.follow_step(h);
    Some(stabilizer)
}

/// Reads `settings.solver`.
pub(super) fn read_solver(cursor: &Cursor<'_>) -> Option<Solver> {
    cursor.expects(|| Expected::Defined(SOLVER));
    let (mut solver, given) = read(cursor, "a solver {\"kind\": …}", solver_of_kind)?;
    let native = solver.info().parameters;
    note(assign(&mut solver.values, native, &[], &given.values, 0.0), cursor, &given.cursors)?;
    Some(solver)
}

/// Writes `{"kind": …}` with every parameter.
pub(super) fn write(kind: &str, values: &Values) -> Value {
    let mut keys = vec![("kind", json!(kind))];
    keys.extend(values.iter().map(|(parameter, value)| {
        let value = match (parameter.word(value), parameter.kind) {
            (Some(word), _) => json!(word),
            (None, ParameterKind::Integer) => json!(value as i64),
            (None, _) => number(value),
        };
        (parameter.key, value)
    }));
    object(keys)
}

fn stabilizer_of_kind(kind: &str) -> Result<Stabilizer, String> {
    let kinds = schemes::TABLE.iter().chain(peers::schemes()).map(|scheme| scheme.info().key);
    let unknown = || unknown("stabilizer", kind, kinds.collect());
    peers::any_stabilizer(kind).ok_or_else(|| peers::missing(kind).unwrap_or_else(unknown))
}

fn solver_of_kind(kind: &str) -> Result<Solver, String> {
    let kinds = lcp::solvers().map(|solver| solver.info().key);
    Solver::by_key(kind).ok_or_else(|| unknown("solver", kind, kinds.collect()))
}

fn unknown(what: &str, kind: &str, kinds: Vec<&str>) -> String {
    let meant = meant(kind, &kinds).map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"));
    format!("unknown {what} '{kind}' (expected one of {}{meant})", kinds.join(", "))
}

/// Splits `KIND[,key=value…]` into its parts.
fn split(text: &str) -> Result<(&str, Vec<Setting>), String> {
    let mut parts = text.split(',').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    let given = parts.map(|part| {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| format!("expected key=value after '{kind},', found '{part}'"))?;
        let value = value.trim();
        let given = value.parse().map_or_else(|_| Given::Word(value.to_owned()), Given::Number);
        Ok((key.trim().to_owned(), given))
    });
    Ok((kind, given.collect::<Result<_, String>>()?))
}

/// The parameters that a file gives, each with the place where it stands.
struct FromFile<'n> {
    values: Vec<Setting>,
    cursors: Vec<Cursor<'n>>,
}

fn read<'n, T>(
    cursor: &Cursor<'n>,
    expected: &str,
    by_kind: fn(&str) -> Result<T, String>,
) -> Option<(T, FromFile<'n>)> {
    let keys = cursor.object(expected)?;
    let kind = keys.require("kind", "the name of one")?;
    let thing = by_kind(kind.text()?).map_err(|message| kind.problem(message)).ok()?;
    let mut given = FromFile { values: Vec::new(), cursors: Vec::new() };
    let mut sound = true;
    for (key, cursor) in keys.others("kind") {
        let value = if cursor.is_text() {
            cursor.text().map(|word| Given::Word(word.to_owned()))
        } else {
            cursor.number().map(Given::Number)
        };
        sound &= value.is_some();
        given.values.extend(value.map(|value| (key.to_owned(), value)));
        given.cursors.push(cursor);
    }
    sound.then_some((thing, given))
}

fn note(
    assigned: Result<(), (Option<usize>, String)>,
    whole: &Cursor<'_>,
    parts: &[Cursor<'_>],
) -> Option<()> {
    assigned
        .map_err(|(index, message)| {
            index.and_then(|index| parts.get(index)).unwrap_or(whole).problem(message);
        })
        .ok()
}

/// Sets `values` to what was given: either in the scheme's own parameters, or entirely in one of its other parameter
/// sets (*languages*).
///
/// Errors carry the index of the given parameter that is at fault, if it is one.
fn assign(
    values: &mut Values,
    native: &'static [Parameter],
    languages: &'static [Language],
    given: &[Setting],
    h: f64,
) -> Result<(), (Option<usize>, String)> {
    let is_native = |key: &str| native.iter().any(|p| p.key == key);
    let speaks = |language: &&Language| {
        let knows = |key: &str| language.parameters.iter().any(|p| p.key == key);
        language.in_files && given.iter().any(|(key, _)| !is_native(key) && knows(key))
    };
    let language = languages.iter().find(speaks);
    let parameters = language.map_or(native, |language| language.parameters);
    let mut found: Vec<Option<f64>> = vec![None; parameters.len()];
    for (index, (key, value)) in given.iter().enumerate() {
        let fail = |message: String| (Some(index), message);
        let place = parameters.iter().position(|p| p.key == key).ok_or_else(|| {
            fail(match (language, is_native(key)) {
                (Some(language), true) => format!(
                    "'{key}' and {} state the same in two ways (expected only one of them)",
                    names(language.parameters)
                ),
                _ => unknown_parameter(key, native, languages),
            })
        })?;
        if found[place].is_some() {
            return Err(fail(format!("'{key}' is given twice")));
        }
        found[place] = Some(resolve(&parameters[place], value).map_err(|error| fail(error.to_string()))?);
    }
    let Some(language) = language else {
        for (parameter, value) in native.iter().zip(found) {
            if let Some(value) = value {
                values.set(parameter.key, value).map_err(|error| (None, error.to_string()))?;
            }
        }
        return Ok(());
    };
    let stated: Option<Vec<f64>> = found.into_iter().collect();
    let stated =
        stated.ok_or_else(|| (None, format!("expected {} together", names(language.parameters))))?;
    for (parameter, value) in native.iter().zip((language.to_native)(&stated, h)) {
        values.set(parameter.key, value).map_err(|error| (None, error.to_string()))?;
    }
    Ok(())
}

fn resolve(parameter: &Parameter, given: &Given) -> Result<f64, ParameterError> {
    let is_choice = matches!(parameter.kind, ParameterKind::Choice(_));
    match given {
        Given::Number(number) if !is_choice => parameter.check(*number),
        Given::Word(word) if is_choice => parameter.parse(word),
        Given::Number(number) => Err(parameter.out_of_range(number)),
        Given::Word(word) => Err(parameter.out_of_range(format_args!("'{word}'"))),
    }
}

fn unknown_parameter(key: &str, native: &[Parameter], languages: &[Language]) -> String {
    let mut expected = names(native);
    for language in languages.iter().filter(|language| language.in_files) {
        expected = format!("{expected}, or {}", names(language.parameters));
    }
    if native.is_empty() {
        expected = "no parameters".to_owned();
    }
    format!("unknown parameter '{key}' (expected {expected})")
}

fn names(parameters: &[Parameter]) -> String {
    parameters.iter().map(|p| p.key).collect::<Vec<_>>().join(", ")
}
