//! Texts within pages.

/// A text as it stands within HTML or one of its attributes.
pub fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
