//! Saving is complete or fails; formats refuse policies and numbers that they cannot hold.

use std::{
    fs,
    io::{self, Write},
    sync::atomic::AtomicBool,
};

use plyscope::engine::{
    cachefile::{Convention, Format, Monitor, save, write},
    files::write_atomically,
    game::Side,
    table::{AnyTable, Policy},
};

use super::{
    support::{bytes_as, cache, files_in, folder, header, load_bytes, save_as},
    toy::{Key, TOY, Toy, key},
};

fn some(policy: Policy) -> AnyTable<Key> {
    let entries: Vec<_> =
        (0..4_u8).map(|n| (key(n, 1 << n, 2 << n, Side::White), n, [0.25, -1.0, 1.0])).collect();
    cache::<Toy>(policy, &entries)
}

/// A disk that is full after this number of bytes.
struct Full<'a> {
    out: &'a mut dyn Write,
    room: usize,
}

impl Write for Full<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let more = bytes.len().min(self.room);
        if more == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.room -= more;
        self.out.write(&bytes[..more])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[test]
fn a_disk_full_at_any_byte_leaves_the_old_file_alone() {
    let folder = folder();
    let path = folder.path().join("some.cache");
    for format in [Format::Native, Format::SeedSearch] {
        let table = some(Policy::Interval);
        let whole = bytes_as(&TOY, &table, format, Convention::Relative).len();
        for room in 0..=whole {
            fs::write(&path, "old").expect("written");
            let saved = write_atomically(&path, |out| {
                let mut full = Full { out, room };
                let interrupt = AtomicBool::new(false);
                let mut watch = Monitor { interrupt: &interrupt, progress: &mut |_, _| {} };
                let header = header(&TOY, Policy::Interval);
                write(&TOY, table.entries(), &mut full, format, &header, &mut watch)
            });
            assert_eq!(files_in(&folder), 1, "no stray file after {room} bytes");
            if room == whole {
                assert_eq!(saved.expect("saved").bytes, whole as u64);
            } else {
                let fault = saved.expect_err("full");
                assert!(fault.message.contains("no room on the disk"), "{fault}");
                assert_eq!(fs::read(&path).expect("read"), b"old");
            }
        }
    }
}

#[test]
fn an_interrupt_leaves_the_old_file_alone() {
    let folder = folder();
    let path = folder.path().join("some.cache");
    fs::write(&path, "old").expect("written");
    for format in [Format::Native, Format::SeedSearch] {
        let interrupt = AtomicBool::new(true);
        let mut watch = Monitor { interrupt: &interrupt, progress: &mut |_, _| {} };
        let table = some(Policy::Interval);
        let header = header(&TOY, Policy::Interval);
        let fault = save(&TOY, table.entries(), &path, format, &header, &mut watch);
        assert!(fault.expect_err("interrupted").message.contains("interrupted"));
        assert_eq!((fs::read(&path).expect("read"), files_in(&folder)), (b"old".to_vec(), 1));
    }
}

#[test]
fn formats_refuse_policies_and_numbers_they_cannot_hold() {
    let folder = folder();
    let path = folder.path().join("some.cache");
    for (policy, format, words) in [
        (Policy::Exact, Format::SeedSearch, "--format native"),
        (Policy::Bound, Format::SeedRote, "--format native"),
        (Policy::Rote, Format::SeedSearch, "--format seed-rote"),
        (Policy::Interval, Format::SeedRote, "--format seed-search"),
        (Policy::None, Format::Native, "choose a memo"),
    ] {
        let table = if policy == Policy::None { AnyTable::new(policy) } else { some(policy) };
        let fault = save_as(&TOY, &table, &path, format, Convention::Seed).expect_err("refused");
        assert!(fault.message.contains(policy.name()), "{fault}");
        assert!(fault.to_string().contains(words), "{fault}");
    }
    let wide = [(key(0x99, 0, 0, Side::Black), 3, [0.5, f64::NEG_INFINITY, 1.0])];
    let wide = cache::<Toy>(Policy::Interval, &wide);
    let fault = save_as(&TOY, &wide, &path, Format::SeedSearch, Convention::Seed);
    let fault = fault.expect_err("infinite");
    assert!(fault.message.contains("9900000000000001:3"), "{fault}");
    assert!(fault.message.contains("its beta is inf"), "{fault}");

    let no_seeds = Toy { seeds: false };
    let table = some(Policy::Interval);
    let fault = save_as(&no_seeds, &table, &path, Format::SeedSearch, Convention::Seed);
    assert!(fault.expect_err("no seed files").message.contains("toy positions have no place"));
    assert_eq!(files_in(&folder), 0);
}

#[test]
fn colour_swapped_entries_are_merged_and_the_later_one_is_kept() {
    let (white, black) = (key(0x21, 1, 2, Side::White), key(0x21, 1, 2, Side::Black));
    let other = key(0x21, 4, 8, Side::White);
    let table = cache::<Toy>(
        Policy::Interval,
        &[(white, 2, [0.1, -1.0, 1.0]), (other, 2, [0.2, -1.0, 1.0]), (black, 2, [0.3, -0.5, 1.0])],
    );
    for (convention, value, alpha) in
        [(Convention::Seed, -0.3, -1.0), (Convention::Relative, 0.3, -0.5)]
    {
        let folder = folder();
        let path = folder.path().join("some.cache");
        let saved = save_as(&TOY, &table, &path, Format::SeedSearch, convention).expect("saved");
        assert_eq!((saved.entries, saved.merged, saved.bytes), (2, 1, 64));
        assert!(saved.notes[0].contains("twin with the same key: 1"), "{:?}", saved.notes);
        let bytes = fs::read(&path).expect("read");
        let loaded = load_bytes(&TOY, &bytes, None).expect("a good file");
        let (at, entry) = loaded.entries().next().expect("an entry");
        let window = entry.window.expect("a window");
        assert_eq!((at.key, entry.value.get(), window.alpha.get()), (white, value, alpha));
    }
}

#[test]
fn rote_values_of_black_are_negated_too() {
    let table = cache::<Toy>(Policy::Rote, &[(key(0x21, 1, 2, Side::Black), 0, [0.3, 0.0, 0.0])]);
    let bytes = bytes_as(&TOY, &table, Format::SeedRote, Convention::Seed);
    assert_eq!(bytes[7..], (-0.3_f64).to_le_bytes());
    let bytes = bytes_as(&TOY, &table, Format::SeedRote, Convention::Relative);
    assert_eq!(bytes[7..], 0.3_f64.to_le_bytes());
}

#[test]
fn progress_is_reported_to_the_end() {
    let table = some(Policy::Interval);
    let mut reports = Vec::new();
    let interrupt = AtomicBool::new(false);
    let mut watch =
        Monitor { interrupt: &interrupt, progress: &mut |done, of| reports.push((done, of)) };
    let header = header(&TOY, Policy::Interval);
    write(&TOY, table.entries(), &mut Vec::new(), Format::Native, &header, &mut watch)
        .expect("written");
    assert_eq!(reports, [(0, 4), (4, 4)]);
}
