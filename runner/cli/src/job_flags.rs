//! The keys of a job as flags, made from the one list of keys, so that a file and the command line cannot drift.

use assay_batch::job::{KEYS, Key, Kind, Section, Settings};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// The flags of a run that are keys of a job, as they were given.
#[derive(Debug, Clone, Default)]
pub struct JobFlags {
    given: Vec<(&'static Key, Vec<String>)>,
}

impl JobFlags {
    /// The flags as settings that lie over those of a job file.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::new();
        for (key, values) in &self.given {
            for value in values {
                settings.flag(key, value);
            }
        }
        settings
    }

    /// Adds what was given for the keys that a command has.
    fn add(&mut self, matches: &ArgMatches, has: impl Fn(&Key) -> bool) {
        for key in KEYS.iter().filter(|key| has(key)) {
            if let Some(values) = matches.get_many::<String>(key.name) {
                self.given.push((key, values.cloned().collect()));
            }
        }
    }
}

impl Args for JobFlags {
    fn augment_args(command: Command) -> Command {
        KEYS.iter().fold(command, |command, key| command.arg(flag(key)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Those of them that say what is read and how.
#[derive(Debug, Clone, Default)]
pub struct ReadingFlags(JobFlags);

impl ReadingFlags {
    /// The flags as settings that lie over those of a job file.
    pub fn settings(&self) -> Settings {
        self.0.settings()
    }
}

impl Args for ReadingFlags {
    fn augment_args(command: Command) -> Command {
        let keys = KEYS.iter().filter(|key| key.is_of_reading());
        keys.fold(command, |command, key| command.arg(flag(key)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReadingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = ReadingFlags::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.add(matches, |key| key.is_of_reading());
        Ok(())
    }
}

/// A line of help with a capital letter, as those of the other flags have.
fn sentence(help: &str) -> String {
    let mut letters = help.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn flag(key: &'static Key) -> Arg {
    let arg = Arg::new(key.name)
        .long(key.name.replace('_', "-"))
        .help(sentence(key.help))
        .help_heading(match key.section {
            Section::Top => "Keys of a job",
            Section::Reading => "Keys of a job: reading of values",
            Section::Claims => "Keys of a job: columns of claims",
        })
        .value_name(match (key.section, key.kind) {
            (Section::Claims, _) => "CLAIM=COLUMN",
            (_, Kind::Path) => "PATH",
            (_, Kind::Number) => "NUMBER",
            (_, Kind::Switch) => "true|false",
            (_, Kind::Words) => "WORD,…",
            (_, Kind::Text | Kind::List) => "TEXT",
        });
    // `--null -99`; any other value that begins with a hyphen is given as `--null=--`.
    let arg = arg.allow_negative_numbers(key.section == Section::Reading);
    match (key.section, key.kind) {
        (_, Kind::Switch) => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
        (Section::Claims, _) | (_, Kind::List | Kind::Words) => arg.action(ArgAction::Append),
        _ => arg,
    }
}

impl FromArgMatches for JobFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = JobFlags::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.add(matches, |_| true);
        Ok(())
    }
}
