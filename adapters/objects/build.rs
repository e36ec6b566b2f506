//! Links libz3: see `assay_z3_link`.

fn main() {
    assay_z3_link::emit();
}
