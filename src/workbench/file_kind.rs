//! The kinds of files that the file dialog offers.

/// The kind of file that the file dialog opens or saves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileKind {
    /// A scene.
    #[default]
    Scene,
    /// A problem for `driftlab lcp`.
    Problem,
    /// A recording of an engine's run.
    Recording,
    /// Figures.
    Table,
    /// A scalable picture.
    Drawing,
    /// A picture of pixels.
    Picture,
}

impl FileKind {
    /// What the file dialog calls such files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scene => "Scenes",
            Self::Problem => "Problems for driftlab lcp",
            Self::Recording => "Recordings",
            Self::Table => "Tables",
            Self::Drawing | Self::Picture => "Pictures",
        }
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Scene | Self::Problem => "json",
            Self::Recording => "jsonl",
            Self::Table => "csv",
            Self::Drawing => "svg",
            Self::Picture => "png",
        }
    }

    /// The extensions of files that are opened as this kind: those of other programs' scenes, too.
    pub(crate) fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Scene => &["json", "jsonl", "gz", "b2rec", "xml", "phz", "phn", "h", "cpp", "txt"],
            Self::Problem => &["json", "jsonl", "dat"],
            Self::Recording => &["jsonl", "gz"],
            Self::Table => &["csv"],
            Self::Drawing => &["svg"],
            Self::Picture => &["png"],
        }
    }

    /// What a name without the extension gets. A scene's is longer, by which a desktop tells it from other JSON files.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Scene => "driftlab.json",
            Self::Problem | Self::Recording | Self::Table | Self::Drawing | Self::Picture => {
                self.extension()
            }
        }
    }
}

/// A name as that of a file: small letters and digits, with hyphens between them.
pub(crate) fn slug(name: &str) -> String {
    let spaced = name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if words.is_empty() { "scene".to_owned() } else { words.join("-") }
}
