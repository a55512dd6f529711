//! The values of a subtable: the list of its blocks, and how a block is unpacked.

use super::source::{Reader, Result};

/// Values packed by recursive pairing (Larsson and Moffat), then by a canonical Huffman code.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub(super) block_bits: u8,
    span_bits: u8,
    /// The number of blocks with values. `listed` counts padding too: the length of the list of blocks in the file.
    pub(super) blocks: u64,
    pub(super) listed: u64,
    shortest_code: u8,
    /// For each code length: the least code, left-aligned in a word, and its symbol.
    codes: Vec<(u64, u16)>,
    symbols: Vec<Symbol>,
    /// 6 bytes for each span of positions: the block with the middle position, and the place of that position's value in it.
    pub(super) spans: Vec<u8>,
    /// For each block, the number of its positions less 1.
    pub(super) lengths: Vec<u16>,
    /// The offset of the first block in the file.
    pub(super) start: u64,
}

/// A value (`second` is [`Symbol::VALUE`]) or a pair of symbols.
#[derive(Debug)]
struct Symbol {
    first: u16,
    second: u16,
    /// Number of values; 0 until counted.
    values: u64,
}

impl Symbol {
    const VALUE: u16 = 0xfff;
    /// The deepest nesting: a symbol has at most 256 values.
    const DEEPEST: usize = 256;
}

impl Packed {
    pub(super) fn read(reader: &mut Reader, block_bits: u8) -> Result<Self> {
        let source = reader.source;
        let [span_bits, padding, blocks @ .., longest_code, shortest_code] = reader.array::<8>()?;
        let blocks = u32::from_le_bytes(blocks).into();
        let lengths = shortest_code..=longest_code;
        if block_bits > 16
            || !(1..=40).contains(&span_bits)
            || lengths.is_empty()
            || !(1..=32).contains(&shortest_code)
            || longest_code > 32
        {
            return Err(source.fail("impossible lengths of blocks or codes"));
        }
        let firsts = reader.shorts(lengths.len() as u64)?;
        let count = u16::from_le_bytes(reader.array()?);
        let symbols = reader.bytes(u64::from(count) * 3 + u64::from(count % 2))?;
        let symbols = symbols.chunks_exact(3).map(|bytes| {
            let [low, middle, high] = [bytes[0], bytes[1], bytes[2]].map(u16::from);
            Symbol { first: low | (middle & 15) << 8, second: middle >> 4 | high << 4, values: 0 }
        });
        let mut symbols: Vec<_> = symbols.collect();
        let counted = (0..symbols.len()).all(|at| count_values(&mut symbols, at, 0).is_some());
        let codes = code_starts(&firsts, shortest_code).filter(|_| counted);
        let codes = codes.ok_or_else(|| source.fail("the code is damaged"))?;
        let listed = blocks + u64::from(padding);
        Ok(Self {
            block_bits,
            span_bits,
            blocks,
            listed,
            shortest_code,
            codes,
            symbols,
            ..Self::default()
        })
    }

    /// The number of spans into which `positions` positions are divided.
    pub(super) fn spans_of(&self, positions: u64) -> u64 {
        if self.listed > 0 { positions.div_ceil(1 << self.span_bits) } else { 0 }
    }

    /// The block that contains the value of a position, and the number of the value in that block.
    pub(super) fn find(&self, index: u64) -> Option<(u64, u64)> {
        let span = (index >> self.span_bits) as usize * 6;
        let (block, middle) = self.spans.get(span..)?.split_first_chunk()?;
        let mut block = u32::from_le_bytes(*block) as usize;
        let half = 1 << (self.span_bits - 1);
        // In the loop, `place` is half a span too large, so that it cannot become negative.
        let mut place = u64::from(u16::from_le_bytes(*middle.first_chunk()?)) + index % (2 * half);
        let length = |block: usize| Some(u64::from(*self.lengths.get(block)?) + 1);
        while place < half {
            block = block.checked_sub(1)?;
            place += length(block)?;
        }
        place -= half;
        while place >= length(block)? {
            place -= length(block)?;
            block += 1;
        }
        Some((block as u64, place)).filter(|(block, _)| *block < self.blocks)
    }

    /// The value number `place` of a block that is followed by 8 bytes of padding.
    pub(super) fn unpack(&self, block: &[u8], mut place: u64) -> Option<u16> {
        let mut bit = 0;
        let mut symbol = loop {
            let word = u64::from_be_bytes(*block.get(bit / 8..)?.first_chunk()?) << (bit % 8);
            let at = self.codes.iter().position(|(code, _)| word >= *code)?;
            let (code, first) = self.codes[at];
            let length = usize::from(self.shortest_code) + at;
            let symbol = usize::from(first) + ((word - code) >> (64 - length)) as usize;
            let symbol = self.symbols.get(symbol)?;
            if place < symbol.values {
                break symbol;
            }
            place -= symbol.values;
            bit += length;
        };
        while symbol.second != Symbol::VALUE {
            let first = &self.symbols[usize::from(symbol.first)];
            symbol = if place < first.values {
                first
            } else {
                place -= first.values;
                &self.symbols[usize::from(symbol.second)]
            };
        }
        Some(symbol.first)
    }
}

/// The least code of each length with its symbol. The longest codes begin at 0; the codes of each shorter length follow
/// the longer codes, cut to the shorter length.
fn code_starts(firsts: &[u16], shortest: u8) -> Option<Vec<(u64, u16)>> {
    let mut codes = vec![(0, *firsts.last()?)];
    for pair in firsts.windows(2).rev() {
        let (longer, _) = codes[codes.len() - 1];
        codes.push(((longer + u64::from(pair[0])).checked_sub(pair[1].into())? / 2, pair[0]));
    }
    codes.reverse();
    for (length, (code, _)) in (shortest..).zip(&mut codes) {
        *code <<= 64 - length;
    }
    Some(codes)
}

/// Counts the values of a symbol and of the symbols in it. `None` if a symbol is missing or contains itself.
fn count_values(symbols: &mut [Symbol], at: usize, depth: usize) -> Option<u64> {
    let &Symbol { first, second, values } = symbols.get(at)?;
    if values > 0 {
        return Some(values);
    }
    let values = if second == Symbol::VALUE {
        1
    } else if depth < Symbol::DEEPEST {
        let first = count_values(symbols, first.into(), depth + 1)?;
        first.checked_add(count_values(symbols, second.into(), depth + 1)?)?
    } else {
        return None;
    };
    symbols[at].values = values;
    Some(values)
}
