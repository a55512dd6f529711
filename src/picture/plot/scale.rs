//! Round numbers along an axis.

/// Round numbers that span an interval, about so many: 1, 2 or 5 times a power of ten apart. Those that an axis with
/// room for the interval alone can show are the ones inside.
pub fn ticks([least, most]: [f64; 2], about: usize) -> Vec<f64> {
    let rough = (most - least) / about.max(1) as f64;
    if !rough.is_finite() || rough <= 0.0 {
        return vec![least];
    }
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= rough * 0.999);
    let step = factor.unwrap_or(10.0) * power;
    let begin = (least / step - 1e-9).ceil() as i64;
    let end = (most / step + 1e-9).floor() as i64;
    // A multiple of a tenth is not the nearest double to its decimals: dividing is.
    let tick = |nth: i64| {
        if step < 1.0 {
            nth as f64 / (1.0 / step).round()
        } else {
            nth as f64 * step
        }
    };
    (begin..=end).map(tick).collect()
}

/// Marks of an axis at most.
const MOST: u32 = 1000;

/// The bounds of an axis that has room for an interval, and its marks: round numbers, evenly spread, bounds included.
pub fn axis([least, most]: [f64; 2], about: usize) -> ([f64; 2], Vec<f64>) {
    let marks = ticks([least, most], about);
    let step = match marks.as_slice() {
        [first, second, ..] => second - first,
        _ => most - least,
    };
    if !step.is_finite() || step <= 0.0 {
        return ([least, most], vec![least, most]);
    }
    let down = (least / step + 1e-9).floor() * step;
    let up = (most / step - 1e-9).ceil() * step;
    let count = ((up - down) / step).round();
    let mark = |nth: u32| round_to(down + f64::from(nth) * step, step);
    let within = |nth: &u32| f64::from(*nth) <= count;
    let marks: Vec<_> = (0..MOST).take_while(within).map(mark).collect();
    ([down, up], marks)
}

/// A multiple of a step without the noise behind its last decimal.
fn round_to(number: f64, step: f64) -> f64 {
    if step < 1.0 {
        let parts = (10.0 / step).round();
        (number * parts).round() / parts
    } else {
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(ticks([0.0, 3.0], 6), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(ticks([0.0, 0.3], 3), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(ticks([-130.0, 260.0], 4), [-100.0, 0.0, 100.0, 200.0]);
        assert_eq!(ticks([5.0, 5.0], 4), [5.0]);
    }

    #[test]
    fn axes_hold_their_intervals_between_even_marks() {
        assert_eq!(
            axis([60.7, 100.0], 3),
            ([60.0, 100.0], vec![60.0, 80.0, 100.0])
        );
        assert_eq!(axis([-0.56, 0.36], 5).1, [-0.6, -0.4, -0.2, 0.0, 0.2, 0.4]);
        for (least, most) in [(0.0, 1.0), (-3.0, 8.5), (0.001, 0.0042), (5e4, 9e5)] {
            for about in 1..8 {
                let ([down, up], marks) = axis([least, most], about);
                assert!(down <= least + 1e-9 && up >= most - 1e-9, "{down} {up}");
                assert!(marks.len() > 1 && marks.len() <= 3 * about + 3, "{marks:?}");
            }
        }
    }
}
