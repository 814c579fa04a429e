//! What the window says, and what it asks of the system.

/// Something that only the window itself can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Write a picture of the window.
    Screenshot,
    /// Put a text into the clipboard.
    Copy(String),
    /// Fill the screen with the window, or no longer.
    FullScreen(bool),
    /// The work that an earlier window could not save has been taken up or given up.
    LostSettled,
    /// Close the window.
    Quit,
}

/// A file that could not be opened or saved, or of which not all could.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// What was not done.
    pub heading: &'static str,
    /// The file or scene.
    pub title: String,
    /// All errors found.
    pub problems: Vec<String>,
    /// What is as it was before.
    pub unchanged: &'static str,
    /// Whether it was opened all the same: the list tells what is left out of it, and no error.
    pub opened: bool,
}

/// A short message that fades by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// Its text.
    pub text: String,
    /// Real seconds for which it is still shown.
    pub left: f32,
    /// Whether it tells of start velocities that do not fit, and has a button that makes them fit.
    pub fits: bool,
}

/// What the window has to say and to ask for.
#[derive(Debug, Default)]
pub struct News {
    /// A file that could not be opened or saved.
    pub refusal: Option<Refusal>,
    /// A short message.
    pub toast: Option<Toast>,
    /// Requests to the window itself.
    pub requests: Vec<Request>,
}

impl News {
    /// Lets the message fade after another `seconds` of real time.
    pub fn fade(&mut self, seconds: f32) {
        if let Some(toast) = &mut self.toast {
            toast.left -= seconds;
        }
        self.toast.take_if(|toast| toast.left <= 0.0);
    }
}
