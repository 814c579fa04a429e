//! What the program tells a test of the page.

/// Publishes what the program shows; on a desktop nobody asks.
pub(crate) fn tell(state: &str) {
    #[cfg(target_family = "wasm")]
    driftlab_host::tell(driftlab_host::Tell::Probe, "", state.as_bytes());
    #[cfg(not(target_family = "wasm"))]
    let _nobody_asks = state;
}
