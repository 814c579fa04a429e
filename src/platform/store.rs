//! What outlasts the program: settings, and unsaved work that another start can take up, in the folders that the
//! platform has for them. For a page its browser keeps both.

pub(crate) use own::{Store, folder_of_own};

#[cfg(not(target_family = "wasm"))]
mod own {
    use crate::files::{MOST_SCENE_BYTES, read_text, replace};
    use directories::ProjectDirs;
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    /// Bytes of settings at most.
    const MOST_SETTINGS: u64 = 1 << 20;
    /// Bytes of unsaved work at most: a scene file within a JSON text.
    const MOST_WORK: u64 = 3 * MOST_SCENE_BYTES;
    /// Windows that can keep unsaved work at the same time.
    const MOST_WINDOWS: u32 = 100;

    /// The folder of that name for a person's own files.
    pub(crate) fn folder_of_own(name: &str) -> Option<PathBuf> {
        Some(ProjectDirs::from("", "", "driftlab")?.data_dir().join(name))
    }

    /// The user's folders, and the place in them where this window keeps its unsaved work.
    pub(crate) struct Store {
        settings: PathBuf,
        /// The folder of unsaved work.
        state: PathBuf,
        /// Locked by this window for as long as it lives; the system lets go of it whatever the end.
        own: Option<Place>,
        /// What a window that is no longer there has left.
        lost: Option<Place>,
    }

    struct Place {
        work: PathBuf,
        _lock: File,
    }

    impl Store {
        /// The folders of the present user; none without a home.
        pub(crate) fn of_user() -> Option<Self> {
            let folders = ProjectDirs::from("", "", "driftlab")?;
            let state = folders.state_dir().unwrap_or(folders.data_local_dir()).join("unsaved");
            Some(Self::within(folders.config_dir().join("settings.json"), state))
        }

        fn within(settings: PathBuf, state: PathBuf) -> Self {
            let mut store = Self { settings, state, own: None, lost: None };
            store.claim();
            store
        }

        /// Claims the first place without work, and the first one with work that no window has, as far as they are wanting.
        fn claim(&mut self) {
            let Self { state, own, lost, .. } = self;
            for number in 1..=MOST_WINDOWS {
                if own.is_some() && lost.is_some() {
                    break;
                }
                // A place without work is claimed once.
                if own.is_some() && !state.join(format!("{number}.json")).exists() {
                    continue;
                }
                let Ok(place) = Place::claim(state, number) else { continue };
                let kind = if place.work.exists() { &mut *lost } else { &mut *own };
                if kind.is_none() {
                    *kind = Some(place);
                }
            }
        }

        /// The settings; none at the first start.
        pub(crate) fn settings(&self) -> io::Result<Option<String>> {
            if_there(read_text(&self.settings, MOST_SETTINGS))
        }

        /// Keeps the settings.
        pub(crate) fn keep_settings(&self, text: &str) -> io::Result<()> {
            self.settings.parent().map_or(Ok(()), fs::create_dir_all)?;
            replace(&self.settings, text.as_bytes())
        }

        /// Puts settings that cannot be read aside; returns where they are.
        pub(crate) fn set_settings_aside(&self) -> io::Result<PathBuf> {
            let aside = self.settings.with_extension("broken.json");
            fs::rename(&self.settings, &aside)?;
            Ok(aside)
        }

        /// The unsaved work of a window that is no longer there.
        pub(crate) fn lost(&self) -> io::Result<Option<String>> {
            self.lost.as_ref().map_or(Ok(None), |place| if_there(read_text(&place.work, MOST_WORK)))
        }

        /// That work has been taken up or given up.
        pub(crate) fn settle_lost(&mut self) -> io::Result<()> {
            self.lost.take().map_or(Ok(()), |place| fs::remove_file(&place.work))
        }

        /// Puts that work, which cannot be read, aside, so that what another window has left comes to light; returns where it is.
        pub(crate) fn set_lost_aside(&mut self) -> io::Result<PathBuf> {
            let place = self.lost.take().ok_or(io::ErrorKind::NotFound)?;
            let free = |number: &u32| !self.state.join(format!("broken-{number}.json")).exists();
            let number = (1..).find(free).unwrap_or_default();
            let aside = self.state.join(format!("broken-{number}.json"));
            fs::rename(&place.work, &aside)?;
            drop(place);
            self.claim();
            Ok(aside)
        }

        /// Keeps this window's unsaved work.
        pub(crate) fn keep_work(&self, text: &str) -> io::Result<()> {
            self.own.as_ref().map_or(Ok(()), |place| replace(&place.work, text.as_bytes()))
        }

        /// There is no unsaved work any more.
        pub(crate) fn drop_work(&self) -> io::Result<()> {
            match &self.own {
                Some(place) if place.work.exists() => fs::remove_file(&place.work),
                _ => Ok(()),
            }
        }
    }

    impl Place {
        /// The place of that number, if no other window has it.
        fn claim(folder: &Path, number: u32) -> io::Result<Self> {
            fs::create_dir_all(folder)?;
            let lock = File::create(folder.join(format!("{number}.lock")))?;
            lock.try_lock()?;
            Ok(Self { work: folder.join(format!("{number}.json")), _lock: lock })
        }
    }

    fn if_there<T>(read: io::Result<T>) -> io::Result<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::Store;
        use std::fs;

        /// Unsaved work that is put aside is kept, and what other windows have left comes to light behind it, one after
        /// the other.
        #[test]
        fn work_behind_damaged_work_comes_to_light() {
            let folder = tempfile::tempdir().unwrap();
            let state = folder.path().join("unsaved");
            fs::create_dir(&state).unwrap();
            let texts = ["damaged", "damaged, too", "sound"];
            (1..)
                .zip(texts)
                .for_each(|(n, text)| fs::write(state.join(format!("{n}.json")), text).unwrap());
            let mut store = Store::within(folder.path().join("settings.json"), state);
            for text in &texts[..2] {
                assert_eq!(store.lost().unwrap().as_deref(), Some(*text));
                let aside = store.set_lost_aside().unwrap();
                assert_eq!(&fs::read_to_string(aside).unwrap(), text);
            }
            assert_eq!(store.lost().unwrap().as_deref(), Some("sound"));
            store.settle_lost().unwrap();
            assert_eq!(store.lost().unwrap(), None);
        }
    }
}

#[cfg(target_family = "wasm")]
mod own {
    use driftlab_host::keeping::{BROKEN_SETTINGS, BROKEN_WORK, SETTINGS, UNSAVED};
    use driftlab_host::{Ask, Tell, ask_text, tell};
    use std::io;
    use std::path::PathBuf;

    pub(crate) fn folder_of_own(_: &str) -> Option<PathBuf> {
        None
    }

    /// The browser's storage for the page. Each open page has a place of its own in it for unsaved work.
    pub(crate) struct Store(());

    impl Store {
        pub(crate) fn of_user() -> Option<Self> {
            Some(Self(()))
        }

        pub(crate) fn settings(&self) -> io::Result<Option<String>> {
            Ok(ask_text(Ask::Settings))
        }

        pub(crate) fn keep_settings(&self, text: &str) -> io::Result<()> {
            keep(SETTINGS, text)
        }

        pub(crate) fn set_settings_aside(&self) -> io::Result<PathBuf> {
            keep(BROKEN_SETTINGS, &self.settings()?.unwrap_or_default())?;
            keep(SETTINGS, "")?;
            Ok(PathBuf::from(format!("the page's storage as {BROKEN_SETTINGS}")))
        }

        pub(crate) fn lost(&self) -> io::Result<Option<String>> {
            Ok(ask_text(Ask::Lost))
        }

        pub(crate) fn settle_lost(&mut self) -> io::Result<()> {
            tell(Tell::LostSettled, "", &[]);
            Ok(())
        }

        pub(crate) fn set_lost_aside(&mut self) -> io::Result<PathBuf> {
            keep(BROKEN_WORK, &self.lost()?.unwrap_or_default())?;
            self.settle_lost()?;
            Ok(PathBuf::from(format!("the page's storage as {BROKEN_WORK}")))
        }

        pub(crate) fn keep_work(&self, text: &str) -> io::Result<()> {
            keep(UNSAVED, text)
        }

        pub(crate) fn drop_work(&self) -> io::Result<()> {
            keep(UNSAVED, "")
        }
    }

    fn keep(name: &str, text: &str) -> io::Result<()> {
        tell(Tell::Keep, name, text.as_bytes());
        ask_text(Ask::Refusal).map_or(Ok(()), |why| Err(io::Error::other(why)))
    }
}
