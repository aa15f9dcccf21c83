//! See the target of this name in the library.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| axio_fuzz::parquet(data));
