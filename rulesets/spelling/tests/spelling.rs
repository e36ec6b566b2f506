//! What texts were meant to be.

use assay_spelling::{closest, near, near_by, slips};

fn check(text: &str, candidates: &[&str], expected: Option<&str>) {
    assert_eq!(near(text, candidates.iter().copied()), expected, "`{text}` among {candidates:?}");
}

#[test]
fn a_third_of_the_letters_may_be_slips() {
    let names = ["amount", "kind", "category", "ok"];
    check("amuont", &names, Some("amount"));
    check("amont", &names, Some("amount"));
    check("amnt", &names, Some("amount"));
    check("amn", &names, None);
    check("knd", &names, Some("kind"));
    check("kn", &names, None);
    check("cat", &names, None);
    check("catgry", &names, Some("category"));
    check("approved by the manager", &["approved by manager", "rejected"], Some("approved by manager"));
}

#[test]
fn case_white_space_and_marks_do_not_count() {
    check("AMOUNT", &["kind", "amount"], Some("amount"));
    check(" Is_Member ", &["IsSubset", "IsMember"], Some("IsMember"));
    check("office-supplies", &["Office Supplies"], Some("Office Supplies"));
    check("total.amount", &["total_amount"], Some("total_amount"));
}

#[test]
fn below_three_letters_only_another_case_is_near() {
    check("no", &["NL", "NO"], Some("NO"));
    check("nn", &["NL", "NO"], None);
    check("okk", &["ok"], Some("ok"));
    check("", &["ok", ""], None);
    check("--", &["_", ""], None);
}

#[test]
fn of_equals_the_one_nearest_as_written_and_then_the_first() {
    check("Meals", &["MEALS", "meals"], Some("meals"));
    check("item_3", &["item_1", "item_2"], Some("item_1"));
    check("item_3", &["item_2", "item_1"], Some("item_2"));
    check("item_1", &["item1", "item-1", "item_1"], Some("item_1"));
}

#[test]
fn what_is_too_long_is_no_slip() {
    let long = "letter ".repeat(11);
    check(&long, &[&long], None);
    let fits = "letter ".repeat(10);
    check(&fits, &[&fits], Some(&fits));
    check("amount", &[&"amount ".repeat(1_000_000)], None);
}

#[test]
fn letters_of_any_script_count_as_one() {
    check("größse", &["größe"], Some("größe"));
    check("合計金学", &["件数", "合計金額"], Some("合計金額"));
    check("İstanbul", &["istanbul"], Some("istanbul"));
}

#[test]
fn the_closest_is_there_however_far() {
    assert_eq!(closest("x", ["meals", "taxi"]), Some("taxi"));
    assert_eq!(closest("zzz", ["meals", "taxi"]), Some("taxi"));
    assert_eq!(closest("", ["meals", "taxi"]), Some("taxi"));
    assert_eq!(closest("x", []), None);
}

#[test]
fn items_are_found_by_their_spelling() {
    let found = near_by("secnod", [("first", 1), ("second", 2)], |(spelling, _)| spelling);
    assert_eq!(found, Some(("second", 2)));
    let missed = near_by("thousandth", [("first", 1), ("second", 2)], |(spelling, _)| spelling);
    assert_eq!(missed, None);
}

#[test]
fn a_swap_of_neighbours_is_one_slip() {
    assert_eq!(slips("amount", "amuont"), 1);
    assert_eq!(slips("Amount", "a-mount"), 0);
    assert_eq!(slips("unit", "range"), 4);
}
