// SPDX-License-Identifier: MIT
use crate::check::{at_least, elements, exactly};
use crate::{Activation, Binary, Error};
use isakern_sys as sys;
use std::mem::size_of;

/// The operations on an element of C between its sum and its store: [`isakern_sys::isk_post`] with slices. R is f64 for an
/// output of f64, else f32; C is the element of the output. `..Post::default()` leaves out the others.
#[derive(Clone, Copy, Debug)]
pub struct Post<'a, C = f32, R = f32> {
    pub first_column: usize,
    pub a_zero: i32,
    /// One, or one a column.
    pub b_zero: Option<&'a [i32]>,
    /// One, or one a column.
    pub scale: Option<&'a [R]>,
    /// One a column.
    pub bias: Option<&'a [R]>,
    pub act: Activation,
    pub act_a: f64,
    pub act_b: f64,
    pub binary: Binary,
    /// Rows of other are ldother elements apart.
    pub other: Option<&'a [C]>,
    pub ldother: usize,
    pub other_scale: f64,
    pub out_scale: f32,
    pub out_zero: i32,
    /// One a row.
    pub row_scale: Option<&'a [R]>,
    /// One a row.
    pub row_zero: Option<&'a [i32]>,
}

impl<C, R> Default for Post<'_, C, R> {
    fn default() -> Self {
        Post {
            first_column: 0, a_zero: 0, b_zero: None, scale: None, bias: None, act: Activation::None, act_a: 0.0, act_b: 0.0,
            binary: Binary::None, other: None, ldother: 0, other_scale: 0.0, out_scale: 0.0, out_zero: 0, row_scale: None, row_zero: None,
        }
    }
}

fn pointer<T>(array: Option<&[T]>) -> *const T {
    array.map_or(std::ptr::null(), |a| a.as_ptr())
}

impl<C, R> Post<'_, C, R> {
    /// The struct of C, for `batch` outputs of m by n that are `between` elements apart.
    pub(crate) fn raw(&self, kernel: &'static str, (batch, between): (usize, usize), m: usize, n: usize) -> Result<sys::isk_post, Error> {
        let one_or = |given: usize, all: usize| if given == 1 { 1 } else { all };
        let vectors = [
            ("b_zero", self.b_zero.map(|a| (a.len(), one_or(a.len(), n)))),
            ("scale", self.scale.map(|a| (a.len(), one_or(a.len(), n)))),
            ("bias", self.bias.map(|a| (a.len(), n))),
            ("row_scale", self.row_scale.map(|a| (a.len(), m))),
            ("row_zero", self.row_zero.map(|a| (a.len(), m))),
        ];
        for (name, lengths) in vectors {
            if let Some((given, wanted)) = lengths {
                exactly(kernel, name, given, wanted)?;
            }
        }
        if let Some(other) = self.other {
            at_least(kernel, "other", other.len(), elements(&[(batch, between), (m, self.ldother), (n, 1)]))?;
        }
        Ok(sys::isk_post {
            size: size_of::<sys::isk_post>(),
            first_column: self.first_column,
            a_zero: self.a_zero,
            b_zero: pointer(self.b_zero),
            b_zeros: self.b_zero.map_or(0, |a| a.len()),
            scale: pointer(self.scale).cast(),
            scales: self.scale.map_or(0, |a| a.len()),
            bias: pointer(self.bias).cast(),
            act: self.act as sys::isk_activation,
            act_a: self.act_a,
            act_b: self.act_b,
            binary: self.binary as sys::isk_binary,
            other: pointer(self.other).cast(),
            ldother: self.ldother,
            other_scale: self.other_scale,
            out_scale: self.out_scale,
            out_zero: self.out_zero,
            row_scale: pointer(self.row_scale).cast(),
            row_zero: pointer(self.row_zero),
        })
    }
}
