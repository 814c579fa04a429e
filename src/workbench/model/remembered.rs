//! What outlasts the window: its settings, and work that a window which has come to an early end had not saved.

use super::{Layout, Library, Model, Request, Shown};
use crate::platform::files::PATHS_LAST;
use crate::scene::Scene;
use crate::workbench::intent::Intent;
use crate::workbench::options::{FIRST_SCENE, OpenScene, Options};
use crate::workbench::settings::{Last, MOST_RECENT, Settings};
use crate::workbench::view_state::edge::Edge;
use crate::workbench::view_state::text_size::TextSize;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Unsaved work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Name of the scene.
    pub name: String,
    /// Its title, as the window shows it.
    pub title: String,
    /// The scene's file.
    pub path: Option<PathBuf>,
    /// The scene file's text.
    pub text: String,
}

impl Kept {
    /// Reads what was kept.
    ///
    /// # Errors
    /// A text that is no such work, or whose scene has errors.
    pub fn parse(text: &str) -> Result<Self, String> {
        let kept: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match Scene::parse(&kept.text) {
            Ok(_) => Ok(kept),
            Err(problems) => Err(problems.first().map(ToString::to_string).unwrap_or_default()),
        }
    }
}

impl Model {
    /// What is to be remembered.
    pub fn settings(&self) -> Settings {
        let Self {
            document,
            library: Library { shelf, .. },
            layout,
            view,
            exercises,
            shown: Shown { plot, .. },
            ..
        } = self;
        let Layout { text_size, panel_open, plot_open, .. } = layout;
        let last = match document.path().filter(|_| PATHS_LAST) {
            Some(path) => absolute(path).to_str().map(|path| Last::File(path.to_owned())),
            None => shelf.find(&self.files.title).map(|listed| Last::Scene(listed.key.to_owned())),
        };
        let mut settings = Settings {
            dark: view.dark,
            less_motion: view.still,
            text_size: text_size.percent(),
            // In a narrow window the panel is closed for want of room.
            panel: *panel_open || self.layout.seen_narrow,
            plots: *plot_open,
            panel_width: self.layout.sizes[Edge::Panel as usize],
            plot_height: self.layout.sizes[Edge::Plot as usize],
            last,
            page: self.files.page.clone(),
            recent: shelf.recent.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect(),
            name: exercises.name.clone(),
            exercises: exercises.tried(),
            ..Settings::default()
        };
        settings.set_plotted(&plot.in_files());
        settings
    }

    /// The window is as it was left.
    pub fn remember(&mut self, settings: &Settings) {
        (self.view.dark, self.view.still) = (settings.dark, settings.less_motion);
        let size = TextSize::all().find(|size| size.percent() == settings.text_size);
        self.layout.text_size = size.unwrap_or_default();
        (self.layout.panel_open, self.layout.plot_open) = (settings.panel, settings.plots);
        self.layout.sizes = [settings.panel_width, settings.plot_height];
        if let Ok(plot) = settings.plotted() {
            self.shown.plot.take_from_file(plot);
        }
        self.library.shelf.recent = settings.recent.iter().map(PathBuf::from).collect();
        self.files.folder =
            self.library.shelf.recent.first().and_then(|path| path.parent()).map(Path::to_owned);
        self.files.page.clone_from(&settings.page);
        self.exercises.name.clone_from(&settings.name);
        let dropped = self.exercises.take_in(settings, &self.library.tours);
        if !dropped.is_empty() {
            let keys = dropped.join(", ");
            self.say(format!(
                "These exercises have changed since they were solved, or their proof cannot be read; they are open again: {keys}"
            ));
        }
    }

    /// The window's first picture: as it was left, with what the command line or the page's address names, else with
    /// what was open last. What is named comes after what is remembered, since it says itself what is shown of it.
    pub fn start(&mut self, remembered: Option<&Settings>, options: &Options) {
        if let Some(settings) = remembered {
            self.remember(settings);
        }
        self.files.link_base.clone_from(&options.link_base);
        match (&options.scene, &options.link) {
            (Some(scene), _) => self.apply(Intent::Open(scene.clone())),
            (None, Some(link)) => self.apply(Intent::OpenLink(link.clone())),
            (None, None) if options.recording.is_some() || options.watch.is_some() => {}
            (None, None) => remembered.into_iter().for_each(|settings| self.open_last(settings)),
        }
        options.recording.iter().for_each(|path| self.apply(Intent::OpenPath(path.clone())));
        options.watch.iter().for_each(|name| self.apply(Intent::WatchRecording(name.clone())));
        for table in &options.beside {
            self.apply(table.clone());
        }
        self.runs.player.playing = options.playing.unwrap_or(self.runs.player.playing);
    }

    /// Opens what was open last, unless that is the scene of the first screen.
    pub fn open_last(&mut self, settings: &Settings) {
        match &settings.last {
            Some(Last::File(path)) => self.open_path(Path::new(path)),
            Some(Last::Scene(key)) if key != FIRST_SCENE => self.open_key(key),
            Some(Last::Scene(_)) | None => {}
        }
    }

    /// A scene file has been opened or saved.
    pub(super) fn note_file(&mut self, path: &Path) {
        if !PATHS_LAST {
            return;
        }
        let path = absolute(path);
        self.files.folder = path.parent().map(Path::to_owned);
        let recent = &mut self.library.shelf.recent;
        recent.retain(|own| *own != path);
        recent.insert(0, path);
        recent.truncate(MOST_RECENT);
    }

    /// The unsaved work, if there is any.
    pub fn kept(&self) -> Option<Kept> {
        self.is_unsaved().then(|| Kept {
            name: self.run().scene.name.clone(),
            title: self.files.title.clone(),
            path: self.document.path().map(Path::to_owned),
            text: self.staged().to_json(),
        })
    }

    /// Opens the unsaved work of another window; it stays unsaved.
    pub(crate) fn take_lost(&mut self) {
        let Some(Kept { title, path, text, .. }) = self.files.lost.take() else { return };
        self.open(OpenScene { title, path, text });
        self.document.note_work();
        self.news.requests.push(Request::LostSettled);
    }

    /// Gives it up.
    pub(crate) fn forget_lost(&mut self) {
        if self.files.lost.take().is_some() {
            self.news.requests.push(Request::LostSettled);
        }
    }
}

/// A path that means the same from any folder; without a current folder it stays as it is.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
