#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| driftlab_fuzz::targets::lcp_line(data, &mut Default::default()));
