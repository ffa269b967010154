// SPDX-License-Identifier: MIT
use crate::check::{at_least, elements, product};
use crate::Error;
use isakern_sys as sys;
use std::ops::{Deref, DerefMut};

/// A convolution, with the fields of [`isakern_sys::isk_conv`]. In a new one strides, dilations and groups are 1, and all
/// others 0.
#[derive(Clone, Copy, Debug)]
pub struct Conv(sys::isk_conv);

impl Default for Conv {
    fn default() -> Self {
        // Integers alone, for which zeros are values.
        let zeros: sys::isk_conv = unsafe { std::mem::zeroed() };
        let size = std::mem::size_of::<sys::isk_conv>();
        Conv(sys::isk_conv { size, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, groups: 1, ..zeros })
    }
}

impl Deref for Conv {
    type Target = sys::isk_conv;

    fn deref(&self) -> &sys::isk_conv {
        &self.0
    }
}

impl DerefMut for Conv {
    fn deref_mut(&mut self) -> &mut sys::isk_conv {
        &mut self.0
    }
}

impl Conv {
    pub(crate) fn as_ptr(&self) -> *const sys::isk_conv {
        &self.0
    }

    /// The height and width of the output; None if there is no such convolution.
    pub fn output_size(&self) -> Option<(usize, usize)> {
        let (mut height, mut width) = (0, 0);
        let status = unsafe { sys::isk_conv_output(&self.0, &mut height, &mut width) };
        (status == 0).then(|| (height, width))
    }

    /// The pixels of the output. For an invalid convolution this is 0, and the kernel refuses it.
    pub(crate) fn pixels(&self) -> usize {
        self.output_size().map_or(0, |(height, width)| product(&[self.images, height, width]))
    }

    pub(crate) fn image_pixels(&self) -> usize {
        product(&[self.images, self.height, self.width])
    }

    pub(crate) fn image(&self) -> usize {
        let apart = if self.ldx == 0 { self.channels } else { self.ldx };
        elements(&[(self.image_pixels(), apart), (self.channels, 1)])
    }

    pub(crate) fn output(&self) -> usize {
        let apart = if self.ldy == 0 { self.out_channels } else { self.ldy };
        elements(&[(self.pixels(), apart), (self.out_channels, 1)])
    }

    pub(crate) fn weights(&self) -> usize {
        if self.groups == 0 { 0 } else { product(&[self.out_channels, self.channels / self.groups, self.kernel_h, self.kernel_w]) }
    }
}

/// Scales of packed weights: one for each column and each `group` (32, 64 or 128) of successive k.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    raw: sys::isk_groups,
    scale: &'a [f32],
}

impl<'a> Groups<'a> {
    /// Rows of scale are ldscale elements apart.
    pub fn new(group: usize, scale: &'a [f32], ldscale: usize) -> Self {
        Groups { raw: sys::isk_groups { size: std::mem::size_of::<sys::isk_groups>(), group, scale: scale.as_ptr(), ldscale }, scale }
    }

    pub(crate) fn as_ptr(&self) -> *const sys::isk_groups {
        &self.raw
    }

    pub(crate) fn check(&self, kernel: &'static str, k: usize, n: usize) -> Result<(), Error> {
        let rows = if self.raw.group == 0 { 0 } else { k / self.raw.group + usize::from(k % self.raw.group != 0) };
        at_least(kernel, "scale", self.scale.len(), elements(&[(rows, self.raw.ldscale), (n, 1)]))
    }
}
