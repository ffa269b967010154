// SPDX-License-Identifier: MIT
#![doc = include_str!("../README.md")]
#![allow(clippy::too_many_arguments)]

mod check;
mod conv;
mod kernels;
mod packed;
mod post;
mod why;

pub use conv::{Conv, Groups};
pub use kernels::*;
pub use packed::Packed;
pub use post::Post;
pub use why::{why, Variant};

use isakern_sys as sys;
use std::ffi::CStr;
use std::fmt;

/// Why a call was refused. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// A slice is too short or, unless `or_more`, too long.
    Length { kernel: &'static str, array: &'static str, given: usize, wanted: usize, or_more: bool },
    /// Rows of an output would overlap.
    Stride { kernel: &'static str, stride: &'static str, given: usize, wanted: usize },
    /// A value that must be positive and finite is not.
    NotPositive { kernel: &'static str, value: &'static str, given: f32 },
    /// An integer is out of its range.
    Range { kernel: &'static str, value: &'static str, given: i64, least: i64, most: i64 },
    /// The kernel returned a status, one of isakern_sys::ISK_ERR_*.
    Status { kernel: &'static str, status: i32 },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Length { kernel, array, given, wanted, or_more } => {
                write!(f, "{kernel}: '{array}' has {given} elements; it must have {wanted}{}", if *or_more { " or more" } else { "" })
            }
            Error::Stride { kernel, stride, given, wanted } => {
                write!(f, "{kernel}: '{stride}' is {given}; it must be {wanted} or more, because rows would overlap")
            }
            Error::NotPositive { kernel, value, given } => write!(f, "{kernel}: '{value}' is {given}; it must be positive and finite"),
            Error::Range { kernel, value, given, least, most } => {
                write!(f, "{kernel}: '{value}' is {given}; it must be from {least} to {most}")
            }
            Error::Status { kernel, status } => write!(f, "{kernel}: {}", text(unsafe { sys::isk_strerror(*status) })),
        }
    }
}

impl std::error::Error for Error {}

mod sealed {
    pub trait Sealed {}
}

/// A type whose elements have `BYTES` bytes, for kernels that only move them. Any bits are one of its values.
pub trait Bits<const BYTES: usize>: Copy + sealed::Sealed {}

macro_rules! bits {
    ($bytes:literal: $($of:ty),*) => { $(impl sealed::Sealed for $of {} impl Bits<$bytes> for $of {})* };
}
bits!(1: u8, i8);
bits!(2: u16, i16);
bits!(4: u32, i32, f32);
bits!(8: u64, i64, f64);

/// A static text of the library.
fn text(of_c: *const std::os::raw::c_char) -> &'static str {
    unsafe { CStr::from_ptr(of_c) }.to_str().unwrap_or("?")
}

/// The version of the library.
pub fn version() -> &'static str {
    text(unsafe { sys::isk_version() })
}

/// The highest ISA that kernels are bound to.
pub fn isa() -> &'static str {
    text(unsafe { sys::isk_isa_current() })
}
