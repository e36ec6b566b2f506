//! Which objects an address names.

use assay_batch::remote::Failure;
use futures_util::TryStreamExt;
use glob::{MatchOptions, Pattern};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

use crate::failure;
use crate::store::{Address, Kind};

/// The objects that an address names, sorted by key.
pub(crate) async fn find(address: &Address<'_>, store: &dyn ObjectStore) -> Result<Vec<ObjectMeta>, Failure> {
    let Address { kind, key, .. } = *address;
    let glob = kind != Kind::Http && key.contains(['*', '?', '[']);
    let folder = key.is_empty() || key.ends_with('/');
    if !glob && !folder {
        return Ok(vec![head(kind, store, &address.path(key)?).await?]);
    }
    if kind == Kind::Http {
        return Err(Failure::new("a web server does not list what it has").help("name each file"));
    }
    let pattern = glob.then(|| Pattern::new(key)).transpose();
    let pattern = pattern.map_err(|error| Failure::new(format!("this is no glob: {}", error.msg)))?;
    let start = key.find(['*', '?', '[']).and_then(|at| key.get(..at)).unwrap_or(key);
    let folder = start.rsplit_once('/').map_or("", |(folder, _)| folder);
    let prefix = address.path(folder)?;
    let listed: Vec<ObjectMeta> =
        store.list(Some(&prefix)).try_collect().await.map_err(|error| failure::of(kind, error))?;
    let options = MatchOptions { require_literal_separator: true, ..Default::default() };
    let named = |meta: &ObjectMeta| {
        let key = meta.location.as_ref();
        let below = key.strip_prefix(folder).unwrap_or(key);
        match &pattern {
            Some(pattern) => pattern.matches_with(key, options),
            // As in folders: these are a writer's own.
            None => !below.split('/').any(|part| part.starts_with(['.', '_'])),
        }
    };
    let mut found: Vec<_> = listed.into_iter().filter(named).collect();
    if found.is_empty() {
        return Err(Failure::new(match glob {
            true => "no object matches this input",
            false => "there is no object below this address",
        }));
    }
    found.sort_by(|one, other| one.location.cmp(&other.location));
    for meta in found.iter_mut().filter(|meta| meta.e_tag.is_none()) {
        // A list that tells no version: the object does.
        *meta = head(kind, store, &meta.location).await?;
    }
    Ok(found)
}

async fn head(kind: Kind, store: &dyn ObjectStore, path: &Path) -> Result<ObjectMeta, Failure> {
    store.head(path).await.map_err(|error| failure::of(kind, error))
}
