//! As much of a WebDAV server as results take, over a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::{Request, Response};

use crate::status;

/// What the server answers.
pub(crate) async fn answer(folder: &Path, request: Request<Incoming>) -> Response<s3s::Body> {
    let (head, body) = request.into_parts();
    let place = |path: &str| -> PathBuf { folder.join(path.trim_start_matches('/')) };
    let path = place(head.uri.path());
    match head.method.as_str() {
        "GET" | "HEAD" => match fs::read(&path) {
            Ok(bytes) => crate::file(&format!("{} ", head.method), bytes),
            Err(_) => status(404),
        },
        "PUT" => {
            let length = head.headers.get("content-length").and_then(|length| length.to_str().ok());
            let length = length.and_then(|length| length.parse::<usize>().ok());
            let bytes = body.collect().await.map(|body| body.to_bytes());
            match (bytes, length) {
                (Ok(bytes), Some(length)) if bytes.len() == length => done(fs::write(&path, bytes), 201),
                _ => status(411),
            }
        }
        "DELETE" => done(fs::remove_file(&path), 204),
        "MKCOL" => done(fs::create_dir(&path), 201),
        "MOVE" => {
            let to =
                head.headers.get("destination").and_then(|to| to.to_str().ok()?.parse::<hyper::Uri>().ok());
            to.map_or_else(|| status(400), |to| done(fs::rename(&path, place(to.path())), 201))
        }
        _ => status(405),
    }
}

fn done(result: io::Result<()>, code: u16) -> Response<s3s::Body> {
    match result {
        Ok(()) => status(code),
        // A folder in which a file is to be made is missing, or the file itself.
        Err(error) if error.kind() == io::ErrorKind::NotFound && code == 201 => status(409),
        Err(error) if error.kind() == io::ErrorKind::NotFound => status(404),
        Err(_) => status(405),
    }
}
