//! The address of the page that the program runs in, and the clipboard.

/// What stands behind `?` in the page's address; none on the desktop.
pub(crate) fn query() -> Option<String> {
    #[cfg(target_family = "wasm")]
    return driftlab_host::ask_text(driftlab_host::Ask::Query);
    #[cfg(not(target_family = "wasm"))]
    None
}

/// What stands behind `#` in the page's address; none on the desktop.
pub(crate) fn fragment() -> Option<String> {
    #[cfg(target_family = "wasm")]
    return driftlab_host::ask_text(driftlab_host::Ask::Fragment);
    #[cfg(not(target_family = "wasm"))]
    None
}

/// What stands behind `#` since a person has changed it in the open page, once; none on the desktop.
pub(crate) fn followed() -> Option<String> {
    #[cfg(target_family = "wasm")]
    return driftlab_host::ask_text(driftlab_host::Ask::Followed);
    #[cfg(not(target_family = "wasm"))]
    None
}

/// The address of the page that copied links lead to: on the desktop that of `Cargo.toml`. In a page it is that of the
/// page itself, which stands before every text with `#` that is copied.
pub(crate) fn page() -> &'static str {
    if cfg!(target_family = "wasm") { "" } else { env!("DRIFTLAB_PAGE") }
}

/// Puts a text into the clipboard.
pub(crate) fn copy(text: &str) {
    #[cfg(target_family = "wasm")]
    driftlab_host::tell(driftlab_host::Tell::Copy, "", text.as_bytes());
    #[cfg(not(target_family = "wasm"))]
    macroquad::miniquad::window::clipboard_set(text);
}
