// SPDX-License-Identifier: MIT
use crate::check::status;
use crate::Error;
use isakern_sys as sys;
use std::borrow::Cow;

/// A packed matrix: bytes that are the same on every CPU, and may be stored and mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed<'a> {
    bytes: Cow<'a, [u8]>,
}

impl Packed<'static> {
    /// What a kernel has packed.
    pub(crate) fn of_kernel(bytes: Vec<u8>) -> Self {
        Packed { bytes: Cow::Owned(bytes) }
    }
}

impl<'a> Packed<'a> {
    /// Uses bytes in place. Checks the header, the length and the checksum. of is the element type: `isakern_sys::ISK_F32`.
    pub fn new(bytes: &'a [u8], of: sys::isk_type) -> Result<Self, Error> {
        status("Packed", unsafe { sys::isk_packed_check(bytes.as_ptr().cast(), bytes.len(), of) })?;
        Ok(Packed { bytes: Cow::Borrowed(bytes) })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
