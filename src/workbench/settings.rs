//! What the window remembers from one start to the next, as a JSON text: theme, size of the text, what is shown, the
//! last scene and recent files, and what has been done about exercises. A text with anything unknown or out of range in it is
//! refused whole.

use crate::scene::window::{ONCE, Plotted, QUANTITIES, TABS};
use crate::workbench::exercise::KeptProof;
use crate::workbench::view_state::text_size::{SIZES, TextSize};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most files that are remembered.
pub const MOST_RECENT: usize = 12;

/// Whether a text is the address of a page.
pub(crate) fn is_page(text: &str) -> bool {
    ["https://", "http://", "file://"].iter().any(|scheme| text.starts_with(scheme))
        && !text.contains(char::is_whitespace)
}

/// What is remembered; what a text leaves out is as at the first start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Dark colours.
    pub dark: bool,
    /// Whether nothing moves but the scene.
    pub less_motion: bool,
    /// Size of the text, per cent: one of [`SIZES`].
    pub text_size: u16,
    /// Whether the panel is shown.
    pub panel: bool,
    /// Whether the plots are shown.
    pub plots: bool,
    /// Width of the panel, points, where a person has dragged its edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel_width: Option<u16>,
    /// Height of the plots, points, where a person has dragged their edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot_height: Option<u16>,
    /// The tab under the canvas: one of [`TABS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
    /// What the tab of errors shows, by the names of [`QUANTITIES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<String>>,
    /// What the tab of energies shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<Vec<String>>,
    /// What the tab of the solver shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<Vec<String>>,
    /// The last so many seconds of a plot; 0 for the whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<f64>,
    /// The page that copied links lead to, if not the program's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What was open last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Last>,
    /// Scene files that were opened or saved, the newest first.
    pub recent: Vec<String>,
    /// In whose name certificates are.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What has been done about exercises, by their keys.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub exercises: BTreeMap<String, Tried>,
}

/// What has been done about an exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// Runs that were judged.
    pub tries: u32,
    /// The proof that it is solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed: Option<KeptProof>,
}

/// What was open last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Last {
    /// The shipped scene of that key.
    Scene(String),
    /// The scene in that file.
    File(String),
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dark: true,
            less_motion: false,
            text_size: TextSize::default().percent(),
            panel: true,
            plots: true,
            panel_width: None,
            plot_height: None,
            tab: None,
            errors: None,
            energy: None,
            solver: None,
            span: None,
            page: None,
            last: None,
            recent: Vec::new(),
            name: String::new(),
            exercises: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Reads a text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let read: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if !SIZES.contains(&read.text_size) {
            return Err(format!("text_size: expected one of {SIZES:?}, found {}", read.text_size));
        }
        if read.span.is_some_and(|span| !(span.is_finite() && span >= 0.0)) {
            return Err("span: expected a number, 0 or more".to_owned());
        }
        if read.recent.len() > MOST_RECENT {
            return Err(format!(
                "recent: expected at most {MOST_RECENT} files, found {}",
                read.recent.len()
            ));
        }
        if let Some(page) = read.page.as_ref().filter(|page| !is_page(page)) {
            return Err(format!("page: expected an address with https://, found '{page}'"));
        }
        read.plotted()?;
        Ok(read)
    }

    /// The text.
    pub fn to_json(&self) -> String {
        // Texts, numbers and lists can always be written; an empty text would be refused at the next start.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What the plots show.
    ///
    /// # Errors
    /// A name that no tab and no quantity has.
    pub fn plotted(&self) -> Result<Plotted, String> {
        let named = |place: &str, names: &[&'static str], own: &str| {
            let found = names.iter().find(|name| **name == own).copied();
            found.ok_or_else(|| format!("{place}: expected {}, found '{own}'", names.join(", ")))
        };
        let today = |tab| if tab == ONCE.0 { ONCE.1 } else { tab };
        let chosen = [&self.errors, &self.energy, &self.solver];
        let mut quantities = [None, None, None];
        for (read, (own, (plot, names))) in quantities.iter_mut().zip(chosen.into_iter().zip(QUANTITIES)) {
            let own = own.as_ref().map(|own| own.iter().map(|own| named(plot, names, own)).collect());
            *read = own.transpose()?;
        }
        Ok(Plotted {
            tab: self.tab.as_deref().map(|tab| named("tab", &TABS, today(tab))).transpose()?,
            quantities,
            span: self.span.map(|span| if span > 0.0 { span } else { f64::INFINITY }),
        })
    }

    /// From now on, the plots show that.
    pub fn set_plotted(&mut self, plot: &Plotted) {
        let owned = |chosen: &Option<Vec<&'static str>>| {
            chosen.as_ref().map(|chosen| chosen.iter().map(|name| (*name).to_owned()).collect())
        };
        self.tab = plot.tab.map(str::to_owned);
        [self.errors, self.energy, self.solver] = plot.quantities.each_ref().map(owned);
        self.span = plot.span.map(|span| if span.is_finite() { span } else { 0.0 });
    }
}
