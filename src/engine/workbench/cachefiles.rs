use super::{Answer, Desk};
use crate::engine::{
    cachefile::{Convention, Format},
    game::Game,
    report::CacheFile,
};
use std::path::Path;
pub(super) struct Saved {
    pub crc32: u32,
    pub bytes: u64,
    pub entries: usize,
}
impl<G: Game> Desk<G> {
    pub(super) fn cache_file(&self, _: &Path, _: Format, _: Option<Convention>) -> Answer<Saved> {
        todo!()
    }
    pub(super) fn save_cache_file(
        &self,
        _: &Path,
        _: Option<Format>,
        _: Option<Convention>,
    ) -> Answer<CacheFile> {
        todo!()
    }
    pub(super) fn load_cache_file(
        &mut self,
        _: &Path,
        _: Option<Format>,
        _: Option<Convention>,
    ) -> Answer<CacheFile> {
        todo!()
    }
}
