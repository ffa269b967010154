// SPDX-License-Identifier: MIT
//! What the crate does beside calling kernels: structs, packed matrices, and refusals.
use isakern::*;

fn refused<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

fn packed() -> Packed<'static> {
    let b: Vec<f32> = (0..12).map(|i| i as f32).collect();
    gemm_pack_f32(&b, 3, 4, 4, 0).unwrap()
}

fn gemm(post: &Post) -> Result<[f32; 4], Error> {
    let mut c = [0.0; 4];
    gemm_f32(&mut c, &[1.0, 0.0, 0.0], &packed(), 1, 4, 3, 4, 3, Some(post)).map(|()| c)
}

#[test]
fn operations_behind_a_product() {
    let post = Post { scale: Some(&[2.0]), bias: Some(&[1.0; 4]), binary: Binary::Add, other: Some(&[1.0, 2.0, 3.0, 4.0]), ldother: 4, ..Post::default() };
    assert_eq!(gemm(&post), Ok([2.0, 5.0, 8.0, 11.0]));
}

#[test]
fn arrays_of_post_have_the_lengths_of_the_product() {
    refused(gemm(&Post { bias: Some(&[1.0; 3]), ..Post::default() }), "gemm_f32: 'bias' has 3 elements; it must have 4");
    refused(gemm(&Post { scale: Some(&[1.0; 3]), ..Post::default() }), "gemm_f32: 'scale' has 3 elements; it must have 4");
    refused(gemm(&Post { row_scale: Some(&[1.0; 2]), ..Post::default() }), "gemm_f32: 'row_scale' has 2 elements; it must have 1");
    let post = Post { binary: Binary::Add, other: Some(&[1.0; 3]), ldother: 4, ..Post::default() };
    refused(gemm(&post), "gemm_f32: 'other' has 3 elements; it must have 4 or more");
}

#[test]
fn operands_of_a_batch() {
    let post = |other| Post { binary: Binary::Add, other: Some(other), ldother: 1, ..Post::default() };
    let mut c = [0.0; 2];
    let mut call = |post: &Post| matmul_batch_f32(&mut c, &[1.0, 2.0], &[1.0, 1.0], 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, Some(post));
    refused(call(&post(&[10.0])), "matmul_batch_f32: 'other' has 1 elements; it must have 2 or more");
    call(&post(&[10.0, 20.0])).unwrap();
    assert_eq!(c, [11.0, 22.0]);
}

#[test]
fn packed_matrices_are_checked() {
    let whole = packed();
    let mut bytes = whole.bytes().to_vec();
    assert_eq!(Packed::new(&bytes, isakern_sys::ISK_F32).unwrap(), whole);
    assert!(Packed::new(&bytes, isakern_sys::ISK_S8).is_err());
    assert!(Packed::new(&bytes[..80], isakern_sys::ISK_F32).is_err());
    bytes[100] ^= 1;
    refused(Packed::new(&bytes, isakern_sys::ISK_F32), "Packed: not a packed matrix or accumulator, or damaged");
    let mut c = [0.0; 4];
    assert!(gemm_f32(&mut c, &[0.0; 4], &whole, 1, 4, 4, 4, 4, None).is_err(), "another k");
    assert!(gemm_f32(&mut [0.0; 32], &[0.0; 3], &whole, 1, 32, 3, 32, 3, None).is_err(), "more columns");
}

#[test]
fn scales_of_groups() {
    let call = |scale: &[f32]| gemm_pack_groups_s8(&[2; 64], 64, 1, 1, 0, &Groups::new(32, scale, 1));
    refused(call(&[1.0]), "gemm_pack_groups_s8: 'scale' has 1 elements; it must have 2 or more");
    let mut c = [0.0];
    gemm_f32s8(&mut c, &[1.0; 64], &call(&[1.0, 10.0]).unwrap(), 1, 1, 64, 1, 64, None).unwrap();
    assert_eq!(c, [704.0]);
    assert!(gemm_pack_groups_s8(&[2; 64], 64, 1, 1, 0, &Groups::new(0, &[], 1)).is_err());
}

#[test]
fn convolutions() {
    let mut conv = Conv::default();
    (conv.images, conv.height, conv.width, conv.channels) = (1, 4, 4, 1);
    (conv.out_channels, conv.kernel_h, conv.kernel_w) = (2, 3, 3);
    refused(conv_pack_f32(&[1.0; 17], &conv), "conv_pack_f32: 'w' has 17 elements; it must have 18 or more");
    let weights = conv_pack_f32(&[1.0; 18], &conv).unwrap();
    let mut y = [0.0; 8];
    refused(conv_f32(&mut y, &[1.0; 15], &weights, &conv, None), "conv_f32: 'x' has 15 elements; it must have 16 or more");
    refused(conv_f32(&mut y[1..], &[1.0; 16], &weights, &conv, None), "conv_f32: 'y' has 7 elements; it must have 8 or more");
    let post = Post { bias: Some(&[1.0, 2.0]), ..Post::default() };
    conv_f32(&mut y, &[1.0; 16], &weights, &conv, Some(&post)).unwrap();
    assert_eq!(y, [10.0, 11.0, 10.0, 11.0, 10.0, 11.0, 10.0, 11.0]);
    conv.size = 1 << 20;
    assert!(conv_f32(&mut y, &[1.0; 16], &weights, &conv, None).is_err(), "a size that is not that of the struct");
}

#[test]
fn values_and_strides() {
    let mut q = [0u8; 2];
    refused(quantize_f32_u8(&mut q, &[1.0; 2], 0.0, 1), "quantize_f32_u8: 'scale' is 0; it must be positive and finite");
    refused(quantize_f32_u8(&mut q, &[1.0; 2], f32::NAN, 1), "quantize_f32_u8: 'scale' is NaN; it must be positive and finite");
    refused(quantize_f32_u8(&mut q, &[1.0; 2], 1.0, 256), "quantize_f32_u8: 'zero' is 256; it must be from 0 to 255");
    let mut y = [0.0; 4];
    refused(softmax_f32(&mut y, &[0.0; 4], 2, 2, 1, 2), "softmax_f32: 'ldy' is 1; it must be 2 or more, because rows would overlap");
    refused(softmax_f32(&mut y, &[0.0; 4], usize::MAX, 2, 2, 2), &format!("softmax_f32: 'y' has 4 elements; it must have {} or more", usize::MAX));
    refused(gather_b32_s64(&mut y, &[0.0f32; 4], &[0, 1, 2, 4]), "gather_b32_s64: an index is out of range");
    assert_eq!(sum_f32(&[]), 0.0);
}

#[test]
fn why_a_variant_is_bound() {
    let variants = why("exp_f32").unwrap();
    assert_eq!(variants[0].isa, "baseline");
    let bound: Vec<&Variant> = variants.iter().filter(|v| v.bound).collect();
    assert_eq!(bound.len(), 1);
    assert!(variants.iter().rev().take_while(|v| !v.bound).all(|v| v.reason != bound[0].reason), "{variants:?}");
    assert!(variants.iter().all(|v| !v.reason.is_empty()));
    assert_eq!(why("no_such_kernel"), None);
    assert_eq!(why("a\0b"), None);
}
