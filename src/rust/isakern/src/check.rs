// SPDX-License-Identifier: MIT
//! The checks before a call of C, without which it could reach memory outside its slices.
use crate::Error;
use isakern_sys as sys;

/// The product of sizes; usize::MAX, which no slice has as its length, if it overflows.
pub(crate) fn product(sizes: &[usize]) -> usize {
    sizes.iter().try_fold(1usize, |all, &size| all.checked_mul(size)).unwrap_or(usize::MAX)
}

/// The elements from the first one to the last one inclusive, given (size, step) of each extent; usize::MAX if that overflows.
pub(crate) fn elements(extents: &[(usize, usize)]) -> usize {
    if extents.iter().any(|&(size, _)| size == 0) {
        return 0;
    }
    let last = extents.iter().try_fold(0usize, |all, &(size, step)| all.checked_add((size - 1).checked_mul(step)?));
    last.and_then(|last| last.checked_add(1)).unwrap_or(usize::MAX)
}

/// The bytes of elements of which two share a byte.
pub(crate) fn bytes_of(elements: usize) -> usize {
    if elements == usize::MAX { elements } else { (elements + 1) / 2 }
}

pub(crate) fn exactly(kernel: &'static str, array: &'static str, given: usize, wanted: usize) -> Result<(), Error> {
    if given == wanted { Ok(()) } else { Err(Error::Length { kernel, array, given, wanted, or_more: false }) }
}

pub(crate) fn at_least(kernel: &'static str, array: &'static str, given: usize, wanted: usize) -> Result<(), Error> {
    if given >= wanted { Ok(()) } else { Err(Error::Length { kernel, array, given, wanted, or_more: true }) }
}

/// Rows of an output must not run into one another.
pub(crate) fn apart(kernel: &'static str, stride: &'static str, rows: usize, given: usize, wanted: usize) -> Result<(), Error> {
    if rows < 2 || given >= wanted { Ok(()) } else { Err(Error::Stride { kernel, stride, given, wanted }) }
}

pub(crate) fn positive(kernel: &'static str, value: &'static str, given: f32) -> Result<(), Error> {
    if given > 0.0 && given.is_finite() { Ok(()) } else { Err(Error::NotPositive { kernel, value, given }) }
}

pub(crate) fn within(kernel: &'static str, value: &'static str, given: i64, least: i64, most: i64) -> Result<(), Error> {
    if (least..=most).contains(&given) { Ok(()) } else { Err(Error::Range { kernel, value, given, least, most }) }
}

pub(crate) fn status(kernel: &'static str, status: i32) -> Result<(), Error> {
    if status == 0 { Ok(()) } else { Err(Error::Status { kernel, status }) }
}

/// The memory of a packed matrix. Its size is 0 if there is no such matrix.
pub(crate) fn zeroed(kernel: &'static str, bytes: usize) -> Result<Vec<u8>, Error> {
    let mut made = Vec::new();
    if bytes == 0 || made.try_reserve_exact(bytes).is_err() {
        return Err(Error::Status { kernel, status: sys::ISK_ERR_SIZE });
    }
    made.resize(bytes, 0);
    Ok(made)
}
