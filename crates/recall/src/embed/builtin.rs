//! Stand-in until the built-in model arrives.
/// A word that is near another in meaning.
#[derive(Debug)]
pub struct Related<'a> {
    /// The word.
    pub word: &'a str,
    /// Cosine.
    pub similarity: f32,
}
/// The model.
#[derive(Debug)]
pub struct Builtin;
impl Builtin {
    /// Its name.
    pub const NAME: &str = "none";
    /// The model.
    pub fn get() -> &'static Self {
        &Self
    }
    /// The width.
    pub fn dimensions(&self) -> usize {
        128
    }
    /// The vector of a text.
    pub fn embed(&self, text: &str, out: &mut Vec<f32>) {
        out.clear();
        out.resize(128, 0.0);
        for word in text.split_whitespace() {
            out[(crate::describe::name_number(word) % 128) as usize] += 1.0;
        }
    }
    /// Words near this one.
    pub fn related(&self, _word: &str, _limit: usize, _least: f32) -> Vec<Related<'_>> {
        Vec::new()
    }
}
