//! Comparing names: without regard to case (TA-7), and by how near they are in spelling.

/// Folds a name so that names which differ only in case are equal: Unicode's default case folding (TA-7, R-181).
pub fn folded(name: &str) -> String {
    unicase::UniCase::new(name).to_folded_case()
}

/// Returns the candidate nearest to `word` in spelling, if at most a third of its letters must be added, removed, changed or
/// swapped with a neighbour.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.chars().count().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_name_finds_the_name_that_was_meant() {
        let names = ["Magnitech", "Nyhilo", "Lime"];
        assert_eq!(nearest("Nhyilo", names), Some("Nyhilo"));
        assert_eq!(nearest("lime", names), Some("Lime"));
        assert_eq!(nearest("Praqueue", names), None);
    }

    #[test]
    fn folding_ignores_case_in_every_script() {
        assert_eq!(folded("GROSSE ΣΊΣΥΦΟΣ"), folded("große σίσυφος"));
        assert_ne!(folded("Ann"), folded("Anne"));
    }
}
