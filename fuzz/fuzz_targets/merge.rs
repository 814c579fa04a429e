#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| driftlab_fuzz::targets::merge_parts(data, &mut Default::default()));
