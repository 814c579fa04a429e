//! What the program tells a test.

/// Gives a text to the page's test; on a desktop it goes to standard output.
pub fn tell(text: &str) {
    #[cfg(target_family = "wasm")]
    driftlab_host::tell(driftlab_host::Tell::Probe, "", text.as_bytes());
    #[cfg(not(target_family = "wasm"))]
    println!("{text}");
}
