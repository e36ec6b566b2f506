//! A local S3-compatible server for tests: s3s over a folder, in the process of the test and at a port of its own, with
//! one bucket and one pair of keys; or a web server over such a folder. What it is asked may be answered otherwise before it
//! sees it.

// A server that cannot be set up is a test that fails.
#![allow(clippy::expect_used)]

mod web;

use std::convert::Infallible;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// The bucket that there is.
pub const BUCKET: &str = "archive";

/// The key that the server knows.
pub const ACCESS_KEY: &str = "AKIA0MARKER0ACCESS0KEY";

/// Its secret, which is nowhere to be seen.
pub const SECRET_KEY: &str = "marker/secret/7hXw0QmVtq+that/nobody/prints";

/// An answer that is not quite the store's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A status alone.
    Status(u16),
    /// That of a web server which has a file of these bytes.
    File(Vec<u8>),
    /// The store's, but it breaks off after half of its bytes, unless that is all.
    Half,
    /// The store's, but it breaks off before its first byte.
    Cut,
}

type Before = dyn Fn(&str, &Path) -> Option<Answer> + Send + Sync;

/// A running server. It ends with its value.
#[derive(Debug)]
pub struct Server {
    folder: TempDir,
    address: SocketAddr,
    asked: Asked,
    runtime: Option<Runtime>,
}

/// Everything that was asked: `GET /archive/key`, a text each.
type Asked = Arc<Mutex<Vec<String>>>;

impl Server {
    /// Starts a server.
    pub fn start() -> Server {
        Server::with(|_, _| None)
    }

    /// Starts a server. `before` sees each request (`GET /archive/key`) and the folder of the bucket before the store does; what
    /// it answers is the answer.
    pub fn with(before: impl Fn(&str, &Path) -> Option<Answer> + Send + Sync + 'static) -> Server {
        Server::of(before, |folder| {
            let store = FileSystem::new(folder).expect("a store");
            let mut service = S3ServiceBuilder::new(store);
            service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
            Store::S3(service.build())
        })
    }

    /// Starts a web server that speaks WebDAV. Its bucket is a folder.
    pub fn web(before: impl Fn(&str, &Path) -> Option<Answer> + Send + Sync + 'static) -> Server {
        Server::of(before, |folder| Store::Web(folder.to_owned()))
    }

    fn of(
        before: impl Fn(&str, &Path) -> Option<Answer> + Send + Sync + 'static,
        store: impl Fn(&Path) -> Store,
    ) -> Server {
        let folder = TempDir::new().expect("a temporary folder");
        fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let asked = Asked::default();
        let answering = Answering {
            store: store(folder.path()),
            before: Arc::new(before),
            bucket: folder.path().join(BUCKET),
            asked: Arc::clone(&asked),
        };
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).enable_all().build().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        runtime.spawn(serve(listener, answering));
        Server { folder, address, asked, runtime: Some(runtime) }
    }

    /// The variables that lead to it.
    pub fn environment(&self) -> Vec<(String, String)> {
        let endpoint = self.url("");
        let variables = [
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", endpoint.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
        ];
        variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    /// Its address, with a path that begins with `/`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Where the store keeps an object.
    pub fn path(&self, key: &str) -> PathBuf {
        self.folder.path().join(BUCKET).join(key)
    }

    /// Puts an object into the bucket.
    pub fn put(&self, key: &str, bytes: impl AsRef<[u8]>) -> &Server {
        let path = self.path(key);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, bytes).expect("an object");
        self
    }

    /// Everything that was asked so far, `GET /archive/key`.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What is behind the answers.
#[derive(Clone)]
enum Store {
    S3(S3Service),
    Web(PathBuf),
}

/// What answers.
#[derive(Clone)]
struct Answering {
    store: Store,
    before: Arc<Before>,
    bucket: PathBuf,
    asked: Asked,
}

async fn serve(listener: TcpListener, answering: Answering) {
    while let Ok((stream, _)) = listener.accept().await {
        let answering = answering.clone();
        let service = service_fn(move |request| answering.clone().answer(request));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

impl Answering {
    async fn answer(self, request: Request<Incoming>) -> Result<Response<s3s::Body>, Infallible> {
        let asked = format!("{} {}", request.method(), request.uri());
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked.clone());
        Ok(match (self.before)(&asked, &self.bucket) {
            None => self.stored(request).await,
            Some(Answer::Status(code)) => status(code),
            Some(Answer::File(bytes)) => file(&asked, bytes),
            Some(Answer::Half) => cut(self.stored(request).await, |bytes| bytes.div_ceil(2)).await,
            Some(Answer::Cut) => cut(self.stored(request).await, |_| 0).await,
        })
    }

    async fn stored(&self, request: Request<Incoming>) -> Response<s3s::Body> {
        match &self.store {
            Store::S3(store) => {
                store.call(request.map(s3s::Body::from)).await.unwrap_or_else(|_| status(500))
            }
            Store::Web(folder) => web::answer(folder, request).await,
        }
    }
}

fn status(status: u16) -> Response<s3s::Body> {
    let mut answer = Response::new(s3s::Body::empty());
    *answer.status_mut() = status.try_into().expect("a status");
    answer
}

fn file(asked: &str, bytes: Vec<u8>) -> Response<s3s::Body> {
    let head = Response::builder()
        .header("content-length", bytes.len())
        .header("etag", "\"v1\"")
        .header("last-modified", "Mon, 02 Mar 2026 10:00:00 GMT");
    let sent = if asked.starts_with("HEAD ") { Vec::new() } else { bytes };
    head.body(sent.into()).expect("an answer")
}

async fn cut(answer: Response<s3s::Body>, at: fn(usize) -> usize) -> Response<s3s::Body> {
    let (head, body) = answer.into_parts();
    let bytes = BodyExt::collect(body).await.expect("a body").to_bytes();
    let at = at(bytes.len());
    let first = stream::iter([Ok(Frame::data(bytes.slice(..at)))]);
    let end = stream::iter((at < bytes.len()).then_some(())).then(|()| async {
        // What was sent is on its way by then.
        tokio::time::sleep(Duration::from_millis(5)).await;
        Err(io::Error::from(io::ErrorKind::BrokenPipe))
    });
    let sent = first.chain(end);
    Response::from_parts(head, s3s::Body::http_body(StreamBody::new(sent)))
}
