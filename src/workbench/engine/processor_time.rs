//! The processor time of the present thread: what a step takes, however many other programs and threads run.

use crate::platform::clock::Instant;

/// A measurement that has begun.
pub(super) struct Measured {
    start: Instant,
    /// Processor time of the thread at the start, s, where the system tells it.
    used: Option<f64>,
}

impl Measured {
    /// Begins now, in this thread.
    pub(super) fn begin() -> Self {
        Self { start: Instant::now(), used: used() }
    }

    /// Processor time that this thread has used since, s; real time where the system does not tell it.
    pub(super) fn seconds(&self) -> f64 {
        let used = used().zip(self.used).map(|(now, before)| now - before);
        used.unwrap_or_else(|| self.start.elapsed().as_secs_f64())
    }
}

/// Processor time that this thread has used, s.
fn used() -> Option<f64> {
    #[cfg(target_os = "linux")]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Measured;
    use std::time::{Duration, Instant};

    /// A thread that sleeps uses no processor time, and one that computes uses no more than passes.
    #[test]
    fn a_sleeping_thread_uses_no_processor_time() {
        let wait = Duration::from_millis(50);
        let (measured, start) = (Measured::begin(), Instant::now());
        std::thread::sleep(wait);
        assert!(measured.seconds() < 0.5 * wait.as_secs_f64(), "{} s while sleeping", measured.seconds());
        let sum: f64 = (1..1_000_000).map(|i| f64::from(i).sqrt()).sum();
        assert!(sum > 0.0 && measured.seconds() > 0.0);
        assert!(measured.seconds() <= start.elapsed().as_secs_f64());
    }
}
