//! What to say where a store fails.
//!
//! The library's own words are not shown: they hold the request's address, which may be signed, and the server's answer,
//! which may repeat the key's name.

use std::error::Error as _;

use assay_batch::remote::Failure;
use object_store::Error;
use object_store::client::HttpError;

use crate::store::Kind;

/// What to look at where another region answers.
const REGION: &str = "name the bucket's region in `AWS_REGION`";

/// What to do about a web server that cannot be read from as a store can.
const FETCH: &str = "fetch the file, and name it where it is then";

/// Where credentials are asked for that the environment does not hold.
const METADATA: [&str; 2] = ["//169.254.", "//metadata"];

/// Where the credentials of a store come from.
fn credentials(kind: Kind) -> &'static str {
    match kind {
        Kind::S3 => {
            "credentials come from the environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_REGION`"
        }
        Kind::Google => "credentials come from the environment: `GOOGLE_SERVICE_ACCOUNT`, the file of a key",
        Kind::Azure => {
            "credentials come from the environment: `AZURE_STORAGE_ACCOUNT_NAME` and `AZURE_STORAGE_ACCOUNT_KEY`"
        }
        Kind::Http => "web servers are asked without credentials",
    }
}

/// What to look at where a store is not reached.
fn reached(kind: Kind) -> &'static str {
    match kind {
        Kind::S3 => {
            "look whether the store can be reached from here: `AWS_ENDPOINT_URL` says where an S3 store of your own is, and \
             without TLS it also takes `AWS_ALLOW_HTTP=true`"
        }
        _ => "look whether it can be reached from here",
    }
}

/// The failure of a request.
pub(crate) fn of(kind: Kind, error: Error) -> Failure {
    match error {
        Error::NotFound { .. } => missing(),
        Error::PermissionDenied { .. } => denied(kind),
        Error::Unauthenticated { .. } => unknown(kind),
        Error::Precondition { .. } => changed(),
        Error::NotSupported { .. } => Failure::new("the server does not send a part of it").help(FETCH),
        error => of_causes(kind, &Causes::of(&error)),
    }
}

/// The failure of a store that was not asked for anything yet.
pub(crate) fn unusable(kind: Kind) -> Failure {
    Failure::new("the environment does not say all that it takes to reach this store").help(credentials(kind))
}

fn denied(kind: Kind) -> Failure {
    Failure::new("the store denies access with these credentials").help(credentials(kind))
}

fn unknown(kind: Kind) -> Failure {
    Failure::new("the store does not accept these credentials").help(credentials(kind))
}

fn missing() -> Failure {
    Failure::new("there is no such object or bucket")
}

/// The failure of an object that is not any more what it was.
pub(crate) fn changed() -> Failure {
    Failure::new("the object changed while it was read").help("run the job again once nothing writes to it")
}

/// What the library says of a web server that does not tell the size of a file.
const SIZELESS: &str = "Content-Length Header missing";

/// What an error and its causes say.
struct Causes {
    texts: Vec<String>,
    /// Whether no answer came.
    unanswered: bool,
}

impl Causes {
    fn of(error: &Error) -> Causes {
        let mut causes = Causes { texts: vec![error.to_string()], unanswered: false };
        let mut cause = error.source();
        while let Some(error) = cause {
            causes.texts.push(error.to_string());
            causes.unanswered |= error.is::<HttpError>();
            cause = error.source();
        }
        causes
    }

    fn contain(&self, part: &str) -> bool {
        self.texts.iter().any(|text| text.contains(part))
    }

    /// The status that the server answered with at last. The library has no other way to tell it.
    fn status(&self) -> Option<u16> {
        let after = self.texts.iter().find_map(|text| text.split_once("status code: "))?.1;
        after.get(..3)?.parse().ok()
    }
}

fn of_causes(kind: Kind, causes: &Causes) -> Failure {
    if METADATA.iter().any(|place| causes.contain(place)) {
        return Failure::new("there are no credentials for this store").help(credentials(kind));
    }
    match causes.status() {
        None if causes.contain("redirect without LOCATION") => {
            Failure::new("the bucket is in another region").help(REGION)
        }
        None if causes.contain(SIZELESS) => {
            Failure::new("the server does not tell how large it is").help(FETCH)
        }
        None if !causes.unanswered => {
            Failure::new("the store gives an answer that is none").help(reached(kind))
        }
        status => without(kind, status),
    }
}

/// The failure of a request that was answered with a status of failure at last, or not at all.
pub(crate) fn without(kind: Kind, status: Option<u16>) -> Failure {
    match status {
        None => Failure::new("the store cannot be reached").help(reached(kind)),
        Some(401) => unknown(kind),
        Some(403) => denied(kind),
        Some(404) => missing(),
        Some(status @ 500..) => {
            let message = format!("the store answers with status {status}, however often it is asked");
            Failure::new(message).help("run the job again once it works")
        }
        Some(status) => {
            let failure = Failure::new(format!("the store answers with status {status}"));
            if kind == Kind::S3 && status <= 400 { failure.help(REGION) } else { failure }
        }
    }
}
