//! A digest that tells sweeps apart.

/// FNV-1a of a text, 64 bits in hexadecimal: against mistakes, not against malice [Fowler, Noll & Vo].
pub(crate) fn digest(text: &str) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash = text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}
