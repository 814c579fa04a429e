//! Why a step failed, for people.

use crate::model::{BodyId, World};
use crate::report::StepError;
use crate::scene::shown;

/// Why a step failed, with bodies by their names instead of their ids.
pub fn reason(error: &StepError, world: &World) -> String {
    let body = |id: BodyId| match world.body(id) {
        Some(body) if !body.name.is_empty() => format!("'{}'", shown(&body.name)),
        _ => format!("body {id}"),
    };
    match error {
        StepError::Contact(error, Some(unsolved)) => return unsolved.sentence(error, body),
        StepError::Crowded(crowd) => return crowd.words(body),
        _ => {}
    }
    let ids: &[BodyId] = match error {
        StepError::NotFinite { body, .. } => std::slice::from_ref(body),
        StepError::Infeasible { bodies: Some(bodies), .. }
        | StepError::NotConverged { bodies: Some(bodies), .. } => bodies,
        _ => &[],
    };
    // The last first: a name may look like another index, and the text ends with the last one.
    ids.iter().rev().fold(error.to_string(), |text, id| {
        let number = format!("body {id}");
        match (world.body(*id), text.rfind(&number)) {
            (Some(body), Some(at)) if !body.name.is_empty() => {
                let (before, after) = (&text[..at], &text[at + number.len()..]);
                format!("{before}body '{}'{after}", shown(&body.name))
            }
            _ => text,
        }
    })
}
