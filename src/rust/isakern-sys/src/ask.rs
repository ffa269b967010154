// SPDX-License-Identifier: MIT
use std::os::raw::{c_char, c_int};

/// `struct isk_candidate`: a variant of a kernel.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct isk_candidate {
    /// size_of::<isk_candidate>()
    pub size: usize,
    pub isa: *const c_char,
    pub r#fn: Option<unsafe extern "C" fn()>,
    pub state: c_int,
    pub bound: c_int,
    pub reason: [c_char; 112],
}

extern "C" {
    pub fn isk_candidates(kernel: *const c_char, out: *mut isk_candidate, max: usize) -> c_int;
    #[cfg(feature = "sleef")]
    pub fn isk_sleef_candidates(kernel: *const c_char, out: *mut isk_candidate, max: usize) -> c_int;
}
