//! What stands in the title bar. miniquad sets it once, so that under X11 a connection of our own changes it; elsewhere it stays.

#[cfg(target_os = "linux")]
use super::messenger::windows_of;
#[cfg(target_os = "linux")]
use std::error::Error;
#[cfg(target_os = "linux")]
use x11rb::{
    connection::Connection,
    protocol::xproto::{AtomEnum, ConnectionExt, PropMode, Window},
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

/// The title with which a window of this process opens, by which its connection finds it among others of the program.
/// Elsewhere it stays; a page is no process.
pub(super) fn first() -> String {
    if cfg!(target_os = "linux") {
        format!("driftlab {}", std::process::id())
    } else {
        "driftlab".to_owned()
    }
}

/// The title of this process's window.
pub(super) struct Title {
    #[cfg(target_os = "linux")]
    place: Option<Place>,
    shown: String,
}

/// The window, and who writes there.
#[cfg(target_os = "linux")]
struct Place {
    connection: RustConnection,
    window: Window,
}

impl Title {
    /// The title of the window of this class.
    pub(super) fn of(class: &str) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _found_by_nobody = class;
        Self {
            #[cfg(target_os = "linux")]
            place: Place::find(class).ok().flatten(),
            shown: String::new(),
        }
    }

    /// Shows a title, if it is another one than before.
    pub(super) fn set(&mut self, title: &str) {
        if self.shown != title {
            title.clone_into(&mut self.shown);
            #[cfg(target_os = "linux")]
            // Without it the window has its first title.
            self.place.as_ref().and_then(|place| place.show(title).ok());
        }
    }
}

#[cfg(target_os = "linux")]
impl Place {
    fn find(class: &str) -> Result<Option<Self>, Box<dyn Error>> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        let (name, first) = (AtomEnum::WM_NAME, first());
        let is_own = |window: &Window| {
            let title = connection.get_property(false, *window, name, AtomEnum::ANY, 0, 64);
            title
                .ok()
                .and_then(|title| title.reply().ok())
                .is_some_and(|title| title.value == first.as_bytes())
        };
        let window = windows_of(&connection, root, class.as_bytes())?.into_iter().find(is_own);
        Ok(window.map(|window| Self { connection, window }))
    }

    fn show(&self, title: &str) -> Result<(), Box<dyn Error>> {
        let Self { connection, window } = self;
        let utf8 = connection.intern_atom(false, b"UTF8_STRING")?.reply()?.atom;
        let name = connection.intern_atom(false, b"_NET_WM_NAME")?.reply()?.atom;
        for property in [name, AtomEnum::WM_NAME.into()] {
            connection.change_property8(PropMode::REPLACE, *window, property, utf8, title.as_bytes())?;
        }
        connection.flush()?;
        Ok(())
    }
}
