//! In which of the literature's languages a person reads and sets parameters.

use crate::method::{Language, SchemeInfo};
use crate::parameter::Parameter;

/// The languages that were chosen, the last one first. A scheme is shown in the first of them that it has.
#[derive(Clone, Debug, Default)]
pub struct Languages {
    chosen: Vec<String>,
}

impl Languages {
    /// Chooses the language of this name, for every scheme that has it.
    pub fn choose(&mut self, name: String) {
        self.chosen.retain(|other| *other != name);
        self.chosen.insert(0, name);
    }

    /// The language in which a scheme is shown; none for its own numbers.
    pub fn of(&self, info: &SchemeInfo) -> Option<&'static Language> {
        let own = own_name(info);
        let has = |name: &&String| **name == own || info.languages.iter().any(|other| other.name == **name);
        let name = self.chosen.iter().find(has)?;
        info.languages.iter().find(|language| language.name == *name)
    }
}

/// What the tab of a scheme's own numbers is called: the symbols of those that differ between its languages; Hz for a frequency.
pub fn own_name(info: &SchemeInfo) -> String {
    let spoken =
        |own: &Parameter, language: &Language| language.parameters.iter().any(|other| other.key == own.key);
    let differs = |own: &&Parameter| !info.languages.iter().all(|language| spoken(own, language));
    let own = info.parameters.iter().take(translated(info)).filter(differs);
    own.map(|own| if own.unit == "Hz" { own.unit } else { own.symbol }).collect::<Vec<_>>().join(", ")
}

/// How many of a scheme's numbers, from the first, its languages translate; the others are the same in all of them.
pub fn translated(info: &SchemeInfo) -> usize {
    /// Any time step, s: the count does not depend on it.
    const H: f64 = 1e-3;
    let defaults =
        |language: &Language| language.parameters.iter().map(|own| own.default).collect::<Vec<_>>();
    let counts = info.languages.iter().map(|language| (language.to_native)(&defaults(language), H).len());
    counts.max().unwrap_or(0)
}
