//! Whether a text ends inside a quote, which `csv-core` does not tell.

use assay_batch::input::TextOptions;

/// Where in a record a text has come to, by the same rules as `csv-core`: a quote quotes at the beginning of a field only,
/// and is text elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Quotes {
    delimiter: u8,
    quote: u8,
    at: At,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field: its end, or the first of two that stand for one.
    Quote,
}

impl Quotes {
    /// At the beginning of a record.
    pub fn new(options: &TextOptions) -> Quotes {
        Quotes { delimiter: options.delimiter, quote: options.quote, at: At::FieldStart }
    }

    /// Goes on over `text`.
    pub fn read(&mut self, text: &[u8]) {
        for &byte in text {
            let quote = byte == self.quote;
            self.at = match self.at {
                At::FieldStart | At::Quote if quote => At::Quoted,
                At::Quoted if quote => At::Quote,
                At::Quoted => At::Quoted,
                _ if byte == self.delimiter => At::FieldStart,
                _ => At::Plain,
            };
        }
    }

    /// Where this comes to after `text`.
    pub fn after(mut self, text: &[u8]) -> Quotes {
        self.read(text);
        self
    }

    /// Whether the text so far ends inside a quote.
    pub fn open(&self) -> bool {
        self.at == At::Quoted
    }
}
