//! The command line, as clap reads it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::job_flags::{JobFlags, ReadingFlags};

/// Decides what written policy says about each document, exactly and reproducibly.
///
/// assay reads a ruleset (DSAIL language, addressed by the SHA-256 of its source) and claim dictionaries that were
/// extracted from documents, and answers every assertion with TRUE, FALSE, UNKNOWN or AMBIGUOUS.
#[derive(Debug, Parser)]
#[command(name = "assay", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a ruleset, and store what it compiled so that its hash can be pinned
    Compile {
        /// The ruleset's source; `-` is standard input
        file: PathBuf,
        /// Refuse an assertion without a description above it
        #[arg(long)]
        require_descriptions: bool,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
    /// Decide one claim dictionary
    Check {
        #[command(flatten)]
        ruleset: RulesetArg,
        /// A file that holds a JSON object of claims; `-` is standard input
        #[arg(long, value_name = "FILE")]
        claims: PathBuf,
        /// Say of every answer that is open which claims would settle it
        #[arg(long)]
        decisive: bool,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
    /// Explain the answers for one claim dictionary, and say what would settle those that are open
    Explain {
        #[command(flatten)]
        ruleset: RulesetArg,
        /// A file that holds a JSON object of claims; `-` is standard input
        #[arg(long, value_name = "FILE")]
        claims: PathBuf,
        /// Explain this assertion only
        #[arg(long, value_name = "NAME")]
        assertion: Option<String>,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
    /// Print the extraction prompts of a ruleset, one for each claim
    PromptPack {
        #[command(flatten)]
        ruleset: RulesetArg,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
    /// Decide a batch of claim dictionaries against a pinned ruleset
    Run(Box<RunArgs>),
    /// Ask the solver what comes through standard input
    #[command(hide = true)]
    Solve,
    /// Say how far the evidence of documents agrees, claim by claim
    Agreement(Box<AgreementArgs>),
    /// List the units that assay knows, or ask how two of them meet
    #[command(args_conflicts_with_subcommands = true)]
    Units {
        #[command(subcommand)]
        command: Option<UnitsCommand>,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
    /// Name rulesets, and find them again
    Ruleset {
        #[command(subcommand)]
        command: RulesetCommand,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Where a project keeps its rulesets and its converters.
#[derive(Debug, Clone, Args)]
pub struct StoreArg {
    /// The store of rulesets and project converters
    #[arg(long, value_name = "FILE", default_value = DEFAULT_STORE)]
    pub store: PathBuf,
}

/// What a project keeps: its store and its converters.
#[derive(Debug, Clone, Args)]
pub struct Project {
    #[command(flatten)]
    pub store: StoreArg,
    /// A JSON or TOML file of project converters, beside those of the store
    #[arg(long, value_name = "FILE")]
    pub converters: Option<PathBuf>,
}

/// Where the store is unless something else is said.
pub const DEFAULT_STORE: &str = ".assay/store.db";

/// The form of what a command prints.
#[derive(Debug, Clone, Copy, Args)]
pub struct FormArg {
    /// Text for a person, or the payload (or the error envelope) as canonical JSON; by default text on a terminal
    /// and JSON elsewhere
    #[arg(long, value_name = "FORM", value_enum)]
    pub format: Option<Form>,
}

/// The forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For a person
    Text,
    /// For a program
    Json,
}

/// A ruleset: a file, or a hash in the store.
#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
pub struct RulesetArg {
    /// The ruleset's source; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The full hash of a stored ruleset
    #[arg(long, value_name = "HASH")]
    pub hash: Option<String>,
}

/// The commands about units.
#[derive(Debug, Subcommand)]
pub enum UnitsCommand {
    /// Say how a value in one unit becomes a value in another
    Bridge {
        /// The unit that is converted from, such as `mi`
        from: String,
        /// The unit that is converted to, such as `km`
        to: String,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
    /// Add a converter to the project's library: a factor that a person gives
    Add {
        #[command(flatten)]
        converter: ConverterArgs,
        #[command(flatten)]
        store: StoreArg,
        #[command(flatten)]
        form: FormArg,
    },
}

/// A converter, as a person gives it.
#[derive(Debug, Clone, Args)]
pub struct ConverterArgs {
    /// The unit that is converted from, such as `EUR`
    pub from: String,
    /// The unit that is converted to, such as `USD`
    pub to: String,
    /// How much of the second one of the first is: a decimal or `a/b`
    #[arg(allow_hyphen_values = true)]
    pub factor: String,
    /// What is added after that, in the second unit
    #[arg(long, default_value = "0", allow_hyphen_values = true)]
    pub offset: String,
    /// Who gave the factor, and where it stands
    #[arg(long, value_name = "TEXT")]
    pub attribution: Option<String>,
    /// Replace the converter of this pair; answers may change with it
    #[arg(long)]
    pub replace: bool,
}

/// The commands about stored rulesets.
#[derive(Debug, Subcommand)]
pub enum RulesetCommand {
    /// Compile and store a source, and bind a name to it
    Save {
        /// The name: a letter, then letters, digits, `_`, `-` and `.`
        name: String,
        /// The ruleset's source; `-` is standard input
        file: PathBuf,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
    /// List the names, each with the hash it is bound to
    List {
        #[command(flatten)]
        store: StoreArg,
        #[command(flatten)]
        form: FormArg,
    },
    /// Show a stored ruleset: its review, its hash and its revisions
    Show {
        /// A name, or a full hash
        name: String,
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        form: FormArg,
    },
}

/// `assay agreement`: what a run reads, or the results of one.
#[derive(Debug, Args)]
pub struct AgreementArgs {
    /// The folder of a run's results, or a job file; without one, flags say what is read
    #[arg(value_name = "RESULTS|JOB")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub flags: ReadingFlags,
    #[command(flatten)]
    pub form: FormArg,
}

/// `assay run`: a job file, and every one of its keys as a flag.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The job file; without one, flags say everything
    pub job: Option<PathBuf>,
    #[command(flatten)]
    pub flags: JobFlags,
    /// Replace what another run left in the output folder, once this run is whole
    #[arg(long)]
    pub overwrite: bool,
    /// Go on where a run of this job ended early; start anew where there is nothing to go on with
    #[arg(long)]
    pub resume: bool,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
    /// How log lines and errors are written; `json` is one object a line, and shows no progress bar
    #[arg(long, value_name = "FORM", value_enum, default_value = "text")]
    pub log_format: Form,
}
