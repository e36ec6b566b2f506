//! Object stores: inputs and results at `s3://`, `gs://`, `az://` and `https://` addresses.
//!
//! [`ObjectStores`] is what a run is given. `store` knows how each kind of store is reached, `listing` which objects an
//! address names, `reading` how their bytes come and `writing` how they go (`web` to
//! web servers), `failure` what to say where a store fails.

mod failure;
mod listing;
mod reading;
mod store;
mod web;
mod writing;

use std::fmt;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use assay_batch::remote::{Destination, Failure, Object, Stores};
use assay_faults::reason;
use tokio::runtime::{Builder, Runtime};

use crate::reading::Reading;
use crate::store::{Address, Kind, Patience};
use crate::web::Web;
use crate::writing::Below;

/// The pause before a request is made again for the first time.
const PAUSE: Duration = Duration::from_millis(500);

/// How long nothing may be heard of a store that is read from,
const READING: Duration = Duration::from_secs(60);

/// and of one that is written to: it is silent until all of a piece has come.
const WRITING: Duration = Duration::from_secs(600);

/// The stores that an environment leads to.
#[derive(Debug)]
pub struct ObjectStores {
    environment: Environment,
    /// The pause before a request is made again for the first time.
    pause: Duration,
    /// Runs requests. Made when the first is: most runs have files only.
    runtime: OnceLock<Arc<Runtime>>,
}

/// Variables of an environment. Some are credentials, so they are never shown.
struct Environment(Vec<(String, String)>);

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Environment")
    }
}

impl ObjectStores {
    /// The stores that some variables lead to: those that each store's own tools read.
    pub fn new(environment: impl IntoIterator<Item = (String, String)>) -> ObjectStores {
        let environment = Environment(environment.into_iter().collect());
        ObjectStores { environment, pause: PAUSE, runtime: OnceLock::new() }
    }

    /// The same stores, where a request that failed is made again after so short a pause; each further one may be three times as
    /// long.
    pub fn pausing(self, pause: Duration) -> ObjectStores {
        ObjectStores { pause, ..self }
    }

    /// The stores that the environment of this process leads to.
    pub fn here() -> ObjectStores {
        // What is no text is no variable of a store.
        let texts = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        ObjectStores::new(texts)
    }

    fn patience(&self, silence: Duration) -> Patience {
        Patience { pause: self.pause, silence }
    }

    fn runtime(&self) -> Result<Arc<Runtime>, Failure> {
        if let Some(runtime) = self.runtime.get() {
            return Ok(Arc::clone(runtime));
        }
        let made = Builder::new_multi_thread().worker_threads(1).thread_name("objects").enable_all().build();
        let made = made.map_err(|error: io::Error| {
            Failure::new(format!("requests cannot be made: {}", reason(&error)))
        })?;
        Ok(Arc::clone(self.runtime.get_or_init(|| Arc::new(made))))
    }
}

impl Stores for ObjectStores {
    fn find(&self, url: &str) -> Result<Vec<Object>, Failure> {
        let runtime = self.runtime()?;
        let address = Address::parse(url)?;
        let store = address.store(&self.environment, self.patience(READING))?;
        let found = runtime.block_on(listing::find(&address, store.as_ref()))?;
        let reading = Arc::new(Reading { kind: address.kind, store, runtime });
        Ok(found.into_iter().map(|meta| reading::object(&address, meta, &reading)).collect())
    }

    fn destination(&self, url: &str) -> Result<Box<dyn Destination>, Failure> {
        let address = Address::parse(url)?;
        let store = address.store(&self.environment, self.patience(WRITING))?;
        let prefix = address.path(address.key)?;
        let below = Below { kind: address.kind, store, runtime: self.runtime()?, prefix };
        Ok(match address.kind {
            Kind::Http => Box::new(Web::new(below, url, self.pause)?),
            _ => Box::new(below),
        })
    }
}
