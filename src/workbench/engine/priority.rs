//! Threads that make steps leave the processor to the window.
//!
//! Where there are as many threads that compute as processors, an even share would make each frame wait for them; a software
//! rasteriser, which draws with as many threads as there are processors, would take twice the time.

/// Added to the thread's nice value under Linux: a competing thread of the window gets nine times its share.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Lowers the priority of the present thread. Elsewhere than under Linux it does nothing: the graphics card draws there.
pub(super) fn give_way() {
    #[cfg(target_os = "linux")]
    {
        // Under Linux a nice value belongs to a thread. Without it frames come later, and nothing else changes.
        let _kept = rustix::process::nice(NICE);
    }
}
