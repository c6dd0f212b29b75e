//! Vectors of eight-bit numbers, and the scan over them.
//!
//! A unit vector is kept as whole numbers from -127 to 127, so the product of two is their cosine times 127². For the widths
//! used here the error is below 0.01. A scan of all vectors is exact and, at a few gigabytes a second, fast enough for a
//! million: no approximate index, no recall lost, filters cost nothing.

/// What one number of a packed vector is multiplied by.
const SCALE: f32 = 127.0;

/// Packs a vector of any length greater than zero; a vector of zeros stays one.
pub(crate) fn pack(vector: &[f32]) -> Vec<i8> {
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if norm <= f32::EPSILON || !norm.is_finite() {
        return vec![0; vector.len()];
    }
    #[allow(clippy::cast_possible_truncation, reason = "a part of a unit vector times 127 fits")]
    vector.iter().map(|value| (value / norm * SCALE).round().clamp(-SCALE, SCALE) as i8).collect()
}

/// The bytes a database keeps.
pub(crate) fn to_bytes(vector: &[i8]) -> Vec<u8> {
    vector.iter().map(|value| value.cast_unsigned()).collect()
}

/// The other way around.
pub(crate) fn extend_from_bytes(vectors: &mut Vec<i8>, bytes: &[u8]) {
    vectors.extend(bytes.iter().map(|byte| byte.cast_signed()));
}

/// The cosine of `query` with each of the vectors in `rows`, which lie one after the other, into `out`.
pub(crate) fn cosines(query: &[i8], rows: &[i8], out: &mut [f32]) {
    if query.is_empty() {
        return out.fill(0.0);
    }
    let arch = pulp::Arch::new();
    let scan = |rows: &[i8], out: &mut [f32]| {
        arch.dispatch(Scan { query, rows, out });
    };
    if !is_worth_a_thread(out.len()) {
        return scan(rows, out);
    }
    let half = out.len() / 2;
    let (first, second) = out.split_at_mut(half);
    let (first_rows, second_rows) = rows.split_at(half * query.len());
    std::thread::scope(|threads| {
        threads.spawn(|| scan(first_rows, first));
        scan(second_rows, second);
    });
}

/// Whether so many passages are worth a second core; for fewer a thread costs more than it brings.
pub(crate) fn is_worth_a_thread(passages: usize) -> bool {
    const FROM: usize = 50_000;
    passages >= FROM && std::thread::available_parallelism().map_or(1, usize::from) > 1
}

struct Scan<'a> {
    query: &'a [i8],
    rows: &'a [i8],
    out: &'a mut [f32],
}

impl pulp::WithSimd for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        for (row, out) in self.rows.chunks_exact(self.query.len()).zip(self.out) {
            #[allow(clippy::cast_precision_loss, reason = "below 2^24 for any width in use")]
            let product = product(self.query, row) as f32;
            *out = product / (SCALE * SCALE);
        }
    }
}

/// In blocks of 32 numbers, which the compiler turns into the widest instructions there are.
#[inline(always)]
fn product(left: &[i8], right: &[i8]) -> i32 {
    let (left_blocks, left_rest) = left.as_chunks::<32>();
    let (right_blocks, right_rest) = right.as_chunks::<32>();
    let mut sum = 0;
    for (left, right) in left_blocks.iter().zip(right_blocks) {
        sum += left.iter().zip(right).map(|(l, r)| i32::from(*l) * i32::from(*r)).sum::<i32>();
    }
    sum + left_rest.iter().zip(right_rest).map(|(l, r)| i32::from(*l) * i32::from(*r)).sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    #[allow(clippy::cast_precision_loss)]
    fn the_scan_gives_the_cosines_on_one_thread_and_on_two() {
        for count in [3, 200_001] {
            let rows: Vec<Vec<f32>> = (0..count)
                .map(|row| (0..40).map(|at| (((row * 31 + at * 17) % 101) as f32) - 50.0).collect())
                .collect();
            let packed: Vec<i8> = rows.iter().flat_map(|row| pack(row)).collect();
            let mut out = vec![0.0; count];
            cosines(&pack(&rows[1]), &packed, &mut out);
            let norm = |row: &[f32]| row.iter().map(|value| value * value).sum::<f32>().sqrt();
            for index in [0, 1, 2, count - 1] {
                let exact = rows[1].iter().zip(&rows[index]).map(|(l, r)| l * r).sum::<f32>()
                    / (norm(&rows[1]) * norm(&rows[index]));
                assert!((exact - out[index]).abs() < 0.01, "{exact} {}", out[index]);
            }
        }
    }

    proptest! {
        #[test]
        fn packing_keeps_directions_and_survives_odd_numbers(
            vector in prop::collection::vec(prop::num::f32::ANY, 1..80),
        ) {
            let packed = pack(&vector);
            prop_assert_eq!(packed.len(), vector.len());
            let mut back = Vec::new();
            extend_from_bytes(&mut back, &to_bytes(&packed));
            prop_assert_eq!(back, packed);
        }
    }
}
