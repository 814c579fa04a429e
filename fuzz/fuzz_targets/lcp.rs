#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| driftlab_fuzz::dense::lcp(data, &mut Default::default()));
