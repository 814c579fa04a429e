//! The end of the program, wanted or not.

/// Whether the program can close its own window; a page belongs to its reader.
pub(crate) const CAN_QUIT: bool = cfg!(not(target_family = "wasm"));

/// A program that panics in a page says so there, in place of its picture. On a desktop the caller of the window does.
pub(crate) fn report_panics() {
    #[cfg(target_family = "wasm")]
    std::panic::set_hook(Box::new(|info| {
        driftlab_host::tell(driftlab_host::Tell::Ended, "", info.to_string().as_bytes());
    }));
}

/// Whether a person is asked before the program is left: in a page by its browser; a desktop's window asks by itself.
pub(crate) fn ask_before(unsaved: bool) {
    #[cfg(target_family = "wasm")]
    driftlab_host::tell(driftlab_host::Tell::Unsaved, "", if unsaved { &[1] } else { &[] });
    #[cfg(not(target_family = "wasm"))]
    let _the_window_asks = unsaved;
}
