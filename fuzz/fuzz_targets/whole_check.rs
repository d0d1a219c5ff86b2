#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| recipelint_fuzz::whole_check(text));
