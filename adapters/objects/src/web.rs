//! Puts results onto a web server, by WebDAV: a file goes aside as it is read, and gets its final name once all of it is there.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use assay_batch::remote::{Destination, Failure};
use assay_faults::reason;
use bytes::Bytes;
use futures_util::stream;
use reqwest::header::CONTENT_LENGTH;
use reqwest::{Body, Client, Method, RequestBuilder, StatusCode};

use crate::failure;
use crate::store::{Kind, LONGER, LONGEST, RETRIES};
use crate::writing::{Below, TRIAL};

/// How much of a file is read at a time.
const BLOCK: usize = 256 * 1024;

/// A place below the address of a web server.
pub(crate) struct Web {
    /// The same place for everything that does not take WebDAV.
    below: Below,
    /// Its address.
    url: String,
    client: Client,
    /// The pause before a request is made again for the first time.
    pause: Duration,
}

impl Web {
    pub fn new(below: Below, url: &str, pause: Duration) -> Result<Web, Failure> {
        // How long a large file takes is not known, so that only a connection that is dead is given up.
        let client =
            Client::builder().connect_timeout(Duration::from_secs(30)).tcp_keepalive(Duration::from_secs(30));
        let client = client.build().map_err(|_| failure::unusable(Kind::Http))?;
        Ok(Web { below, url: url.to_owned(), client, pause })
    }

    fn url_of(&self, name: &str) -> String {
        format!("{}/{name}", self.url)
    }

    /// Has a request answered, made again where the server fails.
    async fn ask(&self, request: impl Fn() -> io::Result<RequestBuilder>) -> Result<(), Failure> {
        let mut pause = self.pause;
        let mut left = RETRIES;
        loop {
            let request = request()
                .map_err(|error| Failure::new(format!("its part cannot be read: {}", reason(&error))))?;
            let status = request.send().await.ok().map(|answer| answer.status());
            match status {
                Some(status) if status.is_success() => return Ok(()),
                Some(status) if !status.is_server_error() || status == StatusCode::NOT_IMPLEMENTED => {
                    return Err(refused(status));
                }
                _ if left == 0 => {
                    return Err(failure::without(Kind::Http, status.map(|status| status.as_u16())));
                }
                _ => {}
            }
            left -= 1;
            tokio::time::sleep(pause).await;
            pause = pause.mul_f64(LONGER).min(LONGEST);
        }
    }

    async fn upload(&self, aside: &str, path: &Path) -> Result<(), Failure> {
        self.ask(|| {
            let file = File::open(path)?;
            let size = file.metadata()?.len();
            let blocks = stream::try_unfold(file, |mut file| async {
                let mut block = Vec::with_capacity(BLOCK);
                let count = (&mut file).take(BLOCK as u64).read_to_end(&mut block)?;
                Ok::<_, io::Error>((count > 0).then(|| (Bytes::from(block), file)))
            });
            let request = self.client.put(self.url_of(aside)).header(CONTENT_LENGTH, size);
            Ok(request.body(Body::wrap_stream(blocks)))
        })
        .await
    }

    async fn rename(&self, aside: &str, name: &str) -> Result<(), Failure> {
        let method = Method::from_bytes(b"MOVE").map_err(|_| failure::unusable(Kind::Http))?;
        self.ask(|| {
            let request = self.client.request(method.clone(), self.url_of(aside));
            Ok(request.header("Destination", self.url_of(name)).header("Overwrite", "T"))
        })
        .await
    }
}

fn refused(status: StatusCode) -> Failure {
    match status {
        StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED => {
            Failure::new("the web server takes no results: it does not know `PUT` and `MOVE`")
                .help("name a server that speaks WebDAV, a store, or a folder")
        }
        status => failure::without(Kind::Http, Some(status.as_u16())),
    }
}

/// What a file is called until all of it is there. Inputs pass over such a name.
fn aside(name: &str) -> String {
    format!(".{name}.unfinished")
}

impl Destination for Web {
    fn check(&self) -> Result<(), Failure> {
        // This makes the folders too.
        self.below.put_trial()?;
        let moved = aside(TRIAL);
        self.below.runtime.block_on(self.rename(TRIAL, &moved))?;
        self.below.remove(&moved)
    }

    fn has(&self, name: &str) -> Result<bool, Failure> {
        self.below.has(name)
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        self.below.read(name)
    }

    fn put(&self, name: &str, file: &Path) -> Result<(), Failure> {
        let aside = aside(name);
        self.below.runtime.block_on(async {
            self.upload(&aside, file).await?;
            self.rename(&aside, name).await
        })
    }

    fn remove(&self, name: &str) -> Result<(), Failure> {
        self.below.remove(name)
    }
}
