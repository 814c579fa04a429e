//! What a person hears who does not see the picture: a page has a line that screen readers speak; a desktop's window has none.

/// Whether anything is spoken.
pub(crate) const SPEAKS: bool = cfg!(target_family = "wasm");

/// Speaks a text.
pub(crate) fn speak(text: &str) {
    #[cfg(target_family = "wasm")]
    driftlab_host::tell(driftlab_host::Tell::Spoken, "", text.as_bytes());
    #[cfg(not(target_family = "wasm"))]
    let _nobody_hears = text;
}
