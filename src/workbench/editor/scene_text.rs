//! The texts of a scene, which its author writes.

use crate::scene::Scene;

/// A text of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneText {
    /// What it is called.
    Name,
    /// What is built.
    Description,
    /// What to look at.
    Observe,
    /// Paper or program that it comes from.
    Source,
}

impl SceneText {
    /// All of them, in the order of their fields.
    pub const ALL: [Self; 4] = [Self::Name, Self::Description, Self::Observe, Self::Source];

    /// What stands beside its field.
    pub fn label(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "what it is",
            Self::Observe => "what to see",
            Self::Source => "source",
        }
    }

    /// What stands in the list of changes.
    pub fn change(self) -> &'static str {
        match self {
            Self::Name => "name of the scene",
            Self::Description => "description of the scene",
            Self::Observe => "what to see in the scene",
            Self::Source => "source of the scene",
        }
    }

    /// Where it is shown.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Name => "What the scene is called, in the header and in the list of scenes",
            Self::Description => "What is built: the list of scenes shows it",
            Self::Observe => {
                "What to look at: it stands under the scene's name, and in the list of scenes as what to try"
            }
            Self::Source => "Paper or program that the scene comes from: the list of scenes searches it",
        }
    }

    /// The scene's own.
    pub fn of(self, scene: &Scene) -> &str {
        match self {
            Self::Name => &scene.name,
            Self::Description => scene.description.as_deref().unwrap_or_default(),
            Self::Observe => scene.observe.as_deref().unwrap_or_default(),
            Self::Source => scene.source.as_deref().unwrap_or_default(),
        }
    }

    /// Writes it; an empty text is none. A scene has a name: it keeps the one it has.
    pub fn write(self, scene: &mut Scene, text: &str) {
        let text = text.trim();
        let stated = (!text.is_empty()).then(|| text.to_owned());
        match self {
            Self::Name => scene.name = stated.unwrap_or_else(|| std::mem::take(&mut scene.name)),
            Self::Description => scene.description = stated,
            Self::Observe => scene.observe = stated,
            Self::Source => scene.source = stated,
        }
    }
}
