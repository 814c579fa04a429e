//! The choice of a file: a dialog in the window, and in a page the page's own.

pub use own::Chooser;

/// Size of the dialog, points.
#[cfg(not(target_family = "wasm"))]
const SIZE: [f32; 2] = [760.0, 460.0];

#[cfg(not(target_family = "wasm"))]
mod own {
    use super::SIZE;
    use egui_file_dialog::{DialogState, FileDialog, OpeningMode};
    use egui_macroquad::egui::{Align2, Context, Id};
    use std::path::PathBuf;

    /// Lets a person choose a file.
    pub struct Chooser(FileDialog);

    impl Default for Chooser {
        fn default() -> Self {
            Self(FileDialog::new().anchor(Align2::CENTER_CENTER, [0.0, 0.0]).default_size(SIZE))
        }
    }

    impl Chooser {
        /// Lets a file be chosen that is to be opened: those of that kind and these extensions first, and those in that folder.
        pub fn pick(&mut self, kind: &str, extensions: &[&'static str], folder: Option<PathBuf>) {
            self.offer(kind, extensions, folder);
            self.0.pick_file();
        }

        /// Lets a place be chosen for a new file, in that folder first.
        pub fn place(&mut self, kind: &str, extension: &'static str, name: &str, folder: Option<PathBuf>) {
            self.offer(kind, &[extension], folder);
            self.0.config_mut().default_file_name = name.to_owned();
            self.0.save_file();
        }

        /// Shows the dialog; returns the path that was chosen in it, once.
        pub fn show(&mut self, ctx: &Context) -> Option<PathBuf> {
            self.0.update(ctx);
            self.0.take_picked()
        }

        /// Whether a person is choosing in the window.
        pub fn is_open(&self) -> bool {
            matches!(self.0.state(), DialogState::Open)
        }

        /// The dialog's window in egui.
        pub fn window(&self) -> Id {
            self.0.get_window_id()
        }

        fn offer(&mut self, kind: &str, extensions: &[&'static str], folder: Option<PathBuf>) {
            let config = self.0.config_mut();
            // A folder that is gone gives way to the one that the program was started in.
            let folder = folder.filter(|folder| folder.is_dir()).or(std::env::current_dir().ok());
            config.initial_directory = folder.unwrap_or_default();
            config.opening_mode = OpeningMode::AlwaysInitialDir;
            (config.file_filters, config.save_extensions) = (Vec::new(), Vec::new());
            *config = std::mem::take(config)
                .add_file_filter_extensions(kind, extensions.to_vec())
                .add_save_extension(kind, extensions.first().copied().unwrap_or_default());
            (config.default_file_filter, config.default_save_extension) =
                (Some(kind.to_owned()), Some(kind.to_owned()));
        }
    }
}

#[cfg(target_family = "wasm")]
mod own {
    use driftlab_host::{Tell, tell};
    use egui_macroquad::egui::{Context, Id};
    use std::path::PathBuf;

    /// Lets a person choose a file. What is chosen in the page arrives as [`brought`](crate::platform::files::brought).
    #[derive(Default)]
    pub struct Chooser(Option<PathBuf>);

    impl Chooser {
        /// Lets a file be chosen that is to be opened.
        pub fn pick(&mut self, _kind: &str, extensions: &[&'static str], _folder: Option<PathBuf>) {
            tell(Tell::Choose, &extensions.join(",."), &[]);
        }

        /// Where a page saves is the browser's business: the place is the name.
        pub fn place(
            &mut self,
            _kind: &str,
            _extension: &'static str,
            name: &str,
            _folder: Option<PathBuf>,
        ) {
            self.0 = Some(PathBuf::from(name));
        }

        /// The name for a new file, once.
        pub fn show(&mut self, _ctx: &Context) -> Option<PathBuf> {
            self.0.take()
        }

        /// Nothing is open in the window.
        pub fn is_open(&self) -> bool {
            false
        }

        /// No window of egui.
        pub fn window(&self) -> Id {
            Id::NULL
        }
    }
}
