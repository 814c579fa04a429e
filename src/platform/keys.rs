//! Keys that a browser keeps to itself unless the page takes them.

/// Takes these from the browser; a desktop's window has all keys.
pub(crate) fn take(keys: &[String]) {
    #[cfg(target_family = "wasm")]
    driftlab_host::tell(driftlab_host::Tell::Keys, "", keys.join(" ").as_bytes());
    #[cfg(not(target_family = "wasm"))]
    let _all_are_here = keys;
}
