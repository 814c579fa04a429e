#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| driftlab_fuzz::targets::recording(data, &mut Default::default()));
