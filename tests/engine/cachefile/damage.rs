//! Files with any byte changed, and all prefixes of files: damage is always detected.

use plyscope::engine::{
    cachefile::{Convention, Format},
    game::Side,
    table::Policy,
};

use super::{
    support::{bytes_as, cache, load_bytes},
    toy::{TOY, Toy, key},
};

fn small(policy: Policy) -> Vec<u8> {
    let entries: Vec<_> = (0..5_u8)
        .map(|n| (key(n, 1 << n, 2 << n, Side::White), n, [f64::from(n) / 8.0, -1.0, 1.0]))
        .collect();
    bytes_as(&TOY, &cache::<Toy>(policy, &entries), Format::Native, Convention::Relative)
}

#[test]
fn every_changed_byte_is_detected() {
    for policy in [Policy::Exact, Policy::Interval, Policy::Bound, Policy::Rote] {
        let bytes = small(policy);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= [0x01, 0x20, 0x80, 0xFF][at % 4];
            let loaded = load_bytes(&TOY, &damaged, Some(Format::Native));
            assert!(loaded.is_err(), "byte {at}");
            // After the header it does not matter how the format was found.
            if at < 64 {
                let fault = load_bytes(&TOY, &damaged, None).expect_err("damaged");
                assert!(fault.hint.is_some(), "byte {at}: {fault}");
            }
        }
    }
}

#[test]
fn every_prefix_is_refused_and_says_where_it_ends() {
    let bytes = small(Policy::Interval);
    for length in 1..bytes.len() {
        let fault = load_bytes(&TOY, &bytes[..length], None).expect_err("cut off");
        assert!(fault.message.contains(&length.to_string()), "{length}: {fault}");
        assert!(load_bytes(&TOY, &bytes[..length], Some(Format::Native)).is_err());
    }
    assert!(load_bytes(&TOY, &[], Some(Format::Native)).is_err());
}

#[test]
fn damage_is_named_by_block_and_offset() {
    let mut bytes = small(Policy::Rote);
    let start = bytes.len() - 20 - (12 + 5 * 16 + 4);
    bytes[start + 20] ^= 1;
    let fault = load_bytes(&TOY, &bytes, None).expect_err("damaged");
    assert!(
        fault.message.contains(&format!("block 1 at byte {start}: its checksum is wrong")),
        "{fault}"
    );
    let longer = [small(Policy::Rote), vec![0]].concat();
    let fault = load_bytes(&TOY, &longer, None).expect_err("too long");
    assert!(fault.message.contains("the end mark is missing"), "{fault}");
}

/// The file with other bytes in the first record of its only block, and the check sum corrected.
fn with_record(bytes: &[u8], at: usize, field: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let end = bytes.len() - 20;
    let start = bytes.windows(4).position(|four| four == b"BLCK").expect("a block");
    bytes[start + 12 + at..start + 12 + at + field.len()].copy_from_slice(field);
    let sum = crc32fast::hash(&bytes[start..end - 4]);
    bytes[end - 4..end].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn records_that_no_cache_holds_are_refused() {
    let nan = f64::NAN.to_le_bytes();
    let bound = [7];
    let overlap = [0, 1, 0, 0, 1, 0, 0, 0];
    for (policy, at, field, words) in [
        (Policy::Rote, 8, &nan[..], "its value is NaN"),
        (Policy::Interval, 17, &nan[..], "its alpha is NaN"),
        (Policy::Bound, 9, &bound[..], "not a kind of bound"),
        (Policy::Exact, 0, &overlap[..], "both sides"),
    ] {
        let fault = load_bytes(&TOY, &with_record(&small(policy), at, field), None);
        let fault = fault.expect_err("refused");
        assert!(fault.message.contains("record 1 of block 1 at byte"), "{fault}");
        assert!(fault.message.contains(words), "{fault}");
    }
}

#[test]
fn infinities_are_refused_in_the_seeds_formats() {
    let mut record = vec![0x99, 0, 0, 0, 0, 0, 0, 3];
    for value in [0.5, f64::NEG_INFINITY, 1.0_f64] {
        record.extend_from_slice(&value.to_le_bytes());
    }
    let file = [record.clone(), record].concat();
    let fault = load_bytes(&TOY, &file, Some(Format::SeedSearch)).expect_err("infinite");
    assert!(fault.message.contains("record 1 at byte 0"), "{fault}");
    assert!(fault.message.contains("its alpha is -inf"), "{fault}");
}

#[test]
fn a_file_that_reads_as_either_format_needs_to_be_named() {
    // Empty boards with empty hands and zeros: 15 search records or 32 rote records.
    let file = vec![0; 480];
    let fault = load_bytes(&TOY, &file, None).expect_err("ambiguous");
    assert!(fault.message.contains("15 seed-search"), "{fault}");
    assert!(fault.message.contains("32 seed-rote"), "{fault}");
    let loaded = load_bytes(&TOY, &file, Some(Format::SeedRote)).expect("named");
    assert_eq!((loaded.entries().count(), loaded.duplicates), (1, 31));
}
