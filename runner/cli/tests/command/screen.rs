//! What a terminal shows of what it was sent, as far as this program's output goes.

/// The lines of a terminal that is tall enough, and where its cursor is.
#[derive(Default)]
pub struct Screen {
    lines: Vec<Vec<char>>,
    line: usize,
    column: usize,
}

impl Screen {
    /// The screen after everything was sent.
    pub fn of(sent: &str) -> Screen {
        let mut screen = Screen::default();
        let mut letters = sent.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\r' => screen.column = 0,
                '\n' => screen.line += 1,
                '\u{1b}' => {
                    assert_eq!(letters.next(), Some('['), "only control sequences are known here: {sent:?}");
                    let mut sequence = String::new();
                    let end = loop {
                        let letter = letters.next().expect("the end of a control sequence");
                        if letter.is_ascii_alphabetic() {
                            break letter;
                        }
                        sequence.push(letter);
                    };
                    screen.control(&sequence, end);
                }
                letter => screen.put(letter),
            }
        }
        screen
    }

    /// What can be read.
    pub fn text(&self) -> String {
        let lines =
            self.lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned() + "\n");
        lines.collect::<String>().trim_end_matches('\n').to_owned() + "\n"
    }

    fn control(&mut self, sequence: &str, end: char) {
        let count = sequence.parse().unwrap_or(1);
        match end {
            'A' => self.line = self.line.saturating_sub(count),
            'B' => self.line += count,
            'K' => {
                let kept = if sequence == "2" { 0 } else { self.column };
                if let Some(line) = self.lines.get_mut(self.line) {
                    line.truncate(kept);
                }
            }
            // Colours, and whether the cursor shows.
            'm' | 'h' | 'l' => {}
            _ => panic!("the control sequence {sequence:?} {end:?} is not known here"),
        }
    }

    fn put(&mut self, letter: char) {
        if self.lines.len() <= self.line {
            self.lines.resize(self.line + 1, Vec::new());
        }
        let line = &mut self.lines[self.line];
        if line.len() <= self.column {
            line.resize(self.column + 1, ' ');
        }
        line[self.column] = letter;
        self.column += 1;
    }
}
