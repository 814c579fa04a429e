//! The clock: the standard library's, and in a page, for which that has none, the page's.

#[cfg(target_family = "wasm")]
pub(crate) use page::Instant;
#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;

#[cfg(target_family = "wasm")]
mod page {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    /// A moment, since the Unix epoch. The page's clock may be set back; no duration is then less than zero.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Self {
            Self(Duration::from_secs_f64(macroquad::miniquad::date::now()))
        }

        pub(crate) fn elapsed(self) -> Duration {
            Self::now() - self
        }

        pub(crate) fn saturating_duration_since(self, earlier: Self) -> Duration {
            self - earlier
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, by: Duration) -> Self {
            Self(self.0 + by)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}
