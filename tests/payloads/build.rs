//! Where the suites find the solver.

fn main() {
    assay_z3_link::emit();
}
