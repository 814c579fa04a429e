//! What the window remembers: settings are kept when they have changed, unsaved work every few seconds, so that another
//! start can take it up if this one ends early.

use crate::platform::clock::Instant;
use crate::platform::store::Store;
use crate::workbench::model::{Kept, Model};
use crate::workbench::settings::Settings;
use std::time::Duration;

/// Interval at which settings and the scene's file are looked at.
const OFTEN: Duration = Duration::from_secs(1);
/// Interval at which unsaved work is kept.
const SELDOM: Duration = Duration::from_secs(3);

/// The window's memory; without a place for it, or where frames are counted, it remembers nothing.
pub(super) struct Memory {
    store: Option<Store>,
    settings: Settings,
    work: Option<Kept>,
    looked: Instant,
    kept: Instant,
    /// Whether the person knows that nothing is remembered.
    told: bool,
}

impl Memory {
    /// The memory of the present user, or none.
    pub(super) fn new(remembers: bool) -> Self {
        let now = Instant::now();
        Self {
            store: if remembers { Store::of_user() } else { None },
            settings: Settings::default(),
            work: None,
            looked: now,
            kept: now,
            told: false,
        }
    }

    /// At the start: what is remembered, if anything can be; the model offers what was lost.
    pub(super) fn recall(&mut self, model: &mut Model) -> Option<Settings> {
        let store = self.store.as_mut()?;
        let read = match store.settings() {
            Ok(text) => text.map_or(Ok(Settings::default()), |text| Settings::parse(&text)),
            Err(error) => Err(error.to_string()),
        };
        match read {
            Ok(settings) => self.settings = settings,
            Err(why) => {
                let aside = match store.set_settings_aside() {
                    Ok(aside) => format!("the earlier ones are in {}", aside.display()),
                    Err(error) => error.to_string(),
                };
                model.say(format!("The settings could not be read and were reset ({why}); {aside}"));
            }
        }
        model.files.lost = lost(store, model);
        Some(self.settings.clone())
    }

    /// After a frame.
    pub(super) fn keep(&mut self, model: &mut Model) {
        let now = Instant::now();
        if now - self.looked < OFTEN {
            return;
        }
        self.looked = now;
        model.look_at_file();
        self.keep_settings(model);
        if now - self.kept >= SELDOM {
            self.kept = now;
            self.keep_work(model);
        }
    }

    /// The lost work has been taken up, and is this window's unsaved work, or it has been given up.
    pub(super) fn settle_lost(&mut self, model: &mut Model) {
        self.keep_work(model);
        if let Some(store) = &mut self.store {
            let settled = store.settle_lost();
            self.tell(model, settled);
        }
    }

    /// When the window closes as a person has asked for.
    pub(super) fn close(&mut self, model: &mut Model) {
        self.keep_settings(model);
        if let Some(store) = &self.store {
            // Work that is there now has been given up.
            store.drop_work().ok();
        }
    }

    fn keep_settings(&mut self, model: &mut Model) {
        let Some(store) = &self.store else { return };
        let mut settings = model.settings();
        if settings != self.settings {
            // What another window has kept of the exercises stays.
            if let Some(other) =
                store.settings().ok().flatten().and_then(|text| Settings::parse(&text).ok())
            {
                model.exercises.take_in(&other, &model.library.tours);
                settings = model.settings();
            }
            let kept = store.keep_settings(&settings.to_json());
            self.settings = settings;
            self.tell(model, kept);
        }
    }

    fn keep_work(&mut self, model: &mut Model) {
        let Some(store) = &self.store else { return };
        let work = model.kept();
        if work == self.work {
            return;
        }
        let kept = match &work {
            Some(work) => store.keep_work(&serde_json::to_string(work).unwrap_or_default()),
            None => store.drop_work(),
        };
        self.work = work;
        self.tell(model, kept);
    }

    /// Says once that something could not be kept.
    fn tell(&mut self, model: &mut Model, kept: std::io::Result<()>) {
        if let Err(error) = kept
            && !self.told
        {
            self.told = true;
            model.say(format!("Settings and unsaved work cannot be kept: {error}"));
        }
    }
}

/// What was lost and can be read. What cannot is put aside and named.
fn lost(store: &mut Store, model: &mut Model) -> Option<Kept> {
    loop {
        let read = store.lost().map_err(|error| error.to_string()).transpose()?;
        let why = match read.and_then(|text| Kept::parse(&text)) {
            Ok(kept) => return Some(kept),
            Err(why) => why,
        };
        let aside = store.set_lost_aside();
        let place = match &aside {
            Ok(aside) => format!("it is kept in {}", aside.display()),
            Err(error) => error.to_string(),
        };
        model.say(format!("Unsaved work of an earlier window could not be read ({why}); {place}"));
        aside.ok()?;
    }
}
