#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| driftlab_fuzz::intents::window_intents(data, &mut Default::default()));
