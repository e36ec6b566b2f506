//! How each kind of store is reached.

use std::sync::{Arc, Once};
use std::time::Duration;

use assay_batch::remote::Failure;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};

use crate::{Environment, failure};

/// How often a request is made again: with its pauses, for half a minute or so.
pub(crate) const RETRIES: usize = 8;

/// How much longer a pause may be than the one before it.
pub(crate) const LONGER: f64 = 3.0;

/// The longest pause.
pub(crate) const LONGEST: Duration = Duration::from_secs(15);

/// For how long a request is made again, whatever its pauses.
const RETRIED_FOR: Duration = Duration::from_secs(120);

/// How long a store is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// The pause before a request is made again for the first time.
    pub pause: Duration,
    /// How long nothing may be heard of it.
    pub silence: Duration,
}

/// A kind of store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    S3,
    Google,
    Azure,
    Http,
}

/// An address in parts.
pub(crate) struct Address<'a> {
    pub kind: Kind,
    /// All before the key: `s3://bucket`.
    pub root: &'a str,
    /// The key of an object, the beginning of keys, or a glob.
    pub key: &'a str,
}

impl<'a> Address<'a> {
    pub fn parse(url: &'a str) -> Result<Address<'a>, Failure> {
        let (scheme, rest) = url.split_once("://").ok_or(Failure::new("this is no address"))?;
        let kind = match scheme {
            "s3" => Kind::S3,
            "gs" => Kind::Google,
            "az" => Kind::Azure,
            _ => Kind::Http,
        };
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(Failure::new("the address names no bucket").help("write `s3://bucket/key`"));
        }
        let root = url.get(..scheme.len() + 3 + bucket.len()).unwrap_or(url);
        Ok(Address { kind, root, key })
    }

    /// A key there as the library has it. That of a web address is escaped, any other stands there as it is.
    pub fn path(&self, key: &str) -> Result<Path, Failure> {
        let path = if self.kind == Kind::Http { Path::from_url_path(key) } else { Path::parse(key) };
        // The library would leave a slash at the beginning out.
        path.ok().filter(|_| !key.starts_with('/')).ok_or_else(|| {
            Failure::new("no object is reached by such a key")
                .help("a key has no `//`, `/./` or `/../` in it and no control characters")
        })
    }

    /// The store that it is in, reached with the variables of an environment that the store's own tools read.
    pub fn store(
        &self,
        environment: &Environment,
        patience: Patience,
    ) -> Result<Arc<dyn ObjectStore>, Failure> {
        // Why not is not told: it may repeat a variable.
        self.built(environment, patience).map_err(|_| failure::unusable(self.kind))
    }

    fn built(
        &self,
        environment: &Environment,
        patience: Patience,
    ) -> object_store::Result<Arc<dyn ObjectStore>> {
        provide_tls();
        let Patience { pause, silence } = patience;
        let backoff = BackoffConfig { init_backoff: pause, max_backoff: LONGEST.max(pause), base: LONGER };
        let retry = RetryConfig { backoff, max_retries: RETRIES, retry_timeout: RETRIED_FOR };
        // A large object takes long; a server that says nothing is given up.
        let client = ClientOptions::new()
            .with_timeout_disabled()
            .with_read_timeout(silence)
            .with_allow_http(environment.allows_http(self.kind) || self.root.starts_with("http://"));
        macro_rules! built {
            ($builder:ty, $prefix:literal) => {{
                let builder = <$builder>::new().with_client_options(client).with_retry(retry);
                let variables = environment.0.iter().filter(|(name, _)| name.starts_with($prefix));
                let builder = variables.fold(builder, |builder, (name, value)| {
                    match name.to_ascii_lowercase().parse() {
                        Ok(key) => builder.with_config(key, value),
                        Err(_) => builder,
                    }
                });
                Arc::new(builder.with_url(self.root).build()?)
            }};
        }
        Ok(match self.kind {
            Kind::S3 => built!(AmazonS3Builder, "AWS_"),
            Kind::Google => built!(GoogleCloudStorageBuilder, "GOOGLE_"),
            Kind::Azure => built!(MicrosoftAzureBuilder, "AZURE_"),
            Kind::Http => Arc::new(
                HttpBuilder::new()
                    .with_client_options(client)
                    .with_retry(retry)
                    .with_url(self.root)
                    .build()?,
            ),
        })
    }
}

/// Gives the process its TLS. Where it has one already, that will do.
#[expect(
    deprecated,
    reason = "only for want of post-quantum algorithms; the provider that has them needs CMake"
)]
fn provide_tls() {
    static TLS: Once = Once::new();
    TLS.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

impl Environment {
    /// Whether a store may be reached without TLS: one for tests, or one beside this machine.
    fn allows_http(&self, kind: Kind) -> bool {
        let name = match kind {
            Kind::S3 => "AWS_ALLOW_HTTP",
            Kind::Google => "GOOGLE_ALLOW_HTTP",
            Kind::Azure => "AZURE_ALLOW_HTTP",
            Kind::Http => return false,
        };
        self.0.iter().any(|(known, value)| known == name && value.eq_ignore_ascii_case("true"))
    }
}
