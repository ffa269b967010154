// SPDX-License-Identifier: MIT
use crate::text;
use isakern_sys as sys;
use std::ffi::CString;
use std::os::raw::{c_char, c_int};
use std::ptr::{null, null_mut};

/// A variant of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    pub isa: &'static str,
    /// Whether calls of the kernel reach it.
    pub bound: bool,
    /// Why they reach it or not, in one line.
    pub reason: String,
}

type Ask = unsafe extern "C" fn(*const c_char, *mut sys::isk_candidate, usize) -> c_int;

fn ask(candidates: Ask, kernel: &CString) -> Option<Vec<Variant>> {
    let empty = sys::isk_candidate {
        size: std::mem::size_of::<sys::isk_candidate>(),
        isa: null(),
        r#fn: None,
        state: 0,
        bound: 0,
        reason: [0; 112],
    };
    let count = usize::try_from(unsafe { candidates(kernel.as_ptr(), null_mut(), 0) }).ok()?;
    let mut found = vec![empty; count];

    unsafe { candidates(kernel.as_ptr(), found.as_mut_ptr(), count) };
    Some(found.iter().map(|one| Variant {
        isa: text(one.isa),
        bound: one.bound != 0,
        reason: one.reason.iter().take_while(|c| **c != 0).map(|c| char::from(*c as u8)).collect(),
    }).collect())
}

/// The variants of a kernel, such as `exp_f32`, lowest ISA first. `None` if there is no such kernel.
pub fn why(kernel: &str) -> Option<Vec<Variant>> {
    let kernel = CString::new(kernel).ok()?;
    let own = ask(sys::isk_candidates, &kernel);
    #[cfg(feature = "sleef")]
    let own = own.or_else(|| ask(sys::isk_sleef_candidates, &kernel));
    own
}
