//! Decisions from bytes: a fuzzer changes the bytes, and with them what is built.

/// The bytes that are still to be read; behind their end, zeros.
pub struct Source<'d> {
    bytes: &'d [u8],
}

impl<'d> Source<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        Self { bytes }
    }

    /// Whether all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    /// A number below `bound`, which is at most 256.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound.max(1)
    }

    /// True in `share` of 256 cases.
    pub fn chance(&mut self, share: u8) -> bool {
        self.byte() < share
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (f64::from(self.byte()) + f64::from(self.byte()) / 256.0) / 256.0
    }

    /// From −1 to 1, often 0 or ±1.
    pub fn signed(&mut self) -> f64 {
        match self.byte() {
            0..=31 => 0.0,
            32..=47 => 1.0,
            48..=63 => -1.0,
            _ => 2.0 * self.unit() - 1.0,
        }
    }

    /// From 10^−decades to 10^decades, spread by their logarithm, often 1.
    pub fn scale(&mut self, decades: f64) -> f64 {
        if self.chance(96) { 1.0 } else { 10f64.powf(decades * (2.0 * self.unit() - 1.0)) }
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
