//! The keyboard that a device without keys shows on its screen.

/// Asks for it while a person types into a field; a desktop has keys.
pub(crate) fn show(is_typing: bool) {
    #[cfg(target_family = "wasm")]
    driftlab_host::tell(driftlab_host::Tell::Typing, "", if is_typing { &[1] } else { &[] });
    #[cfg(not(target_family = "wasm"))]
    let _there_are_keys = is_typing;
}
