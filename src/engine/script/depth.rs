//! How deep a rule text nests. The script library reads, walks and drops a text by functions that call themselves, so a
//! text that nests without an end would end the program; it is refused before it is read.

use crate::ruleset::text_length;

/// How deep brackets, operators and blocks may nest within each other.
const DEEPEST: usize = 200;

/// Words that, like operators, put what follows one level deeper.
const WORDS: [&str; 9] = ["not", "and", "or", "in", "if", "else", "for", "lambda", "return"];

/// Finds the first place at which a script nests deeper than is allowed: its line, counted from 1.
pub(super) fn too_deep(script: &str) -> Option<usize> {
    let bytes = script.as_bytes();
    // For each open bracket, and for the line itself: operators since the last comma.
    let mut open = vec![0_usize];
    // For each block: its margin, and how many `elif` follow each other in it.
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut line) = (0, 1);
    let mut begins = true;
    while let Some(&byte) = bytes.get(at) {
        if begins && open.len() == 1 {
            let margin = bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace() && **byte != b'\n').count();
            at += margin;
            begins = false;
            open[0] = 0;
            enter_line(&mut blocks, margin, &script[at.min(floor(script, at))..]);
            continue;
        }
        let step = match byte {
            b'\n' => {
                line += 1;
                begins = true;
                1
            }
            b'#' => bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at),
            b'"' | b'\'' => {
                let length = text_length(&bytes[at..]).min(bytes.len() - at);
                line += bytes[at..at + length].iter().filter(|byte| **byte == b'\n').count();
                length
            }
            b'(' | b'[' | b'{' => {
                open.push(0);
                1
            }
            b')' | b']' | b'}' => {
                if open.len() > 1 {
                    open.pop();
                }
                // A call or a subscript is one level more for what follows it.
                deeper(&mut open);
                1
            }
            b',' | b';' => {
                if let Some(count) = open.last_mut() {
                    *count = 0;
                }
                1
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let rest = &bytes[at..];
                let length =
                    rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(rest.len());
                if WORDS.iter().any(|word| word.as_bytes() == &rest[..length]) {
                    deeper(&mut open);
                }
                length
            }
            byte if byte.is_ascii_punctuation() && byte != b'\\' => {
                deeper(&mut open);
                1
            }
            _ => 1,
        };
        at += step;
        let depth = open.len() + open.iter().sum::<usize>() + blocks.iter().map(|(_, elifs)| 1 + elifs).sum::<usize>();
        if depth > DEEPEST {
            return Some(line);
        }
    }
    None
}

fn deeper(open: &mut [usize]) {
    if let Some(count) = open.last_mut() {
        *count += 1;
    }
}

fn floor(script: &str, at: usize) -> usize {
    script.floor_char_boundary(at)
}

/// Sets down the block of a line that begins with this margin.
fn enter_line(blocks: &mut Vec<(usize, usize)>, margin: usize, rest: &str) {
    if rest.is_empty() || rest.starts_with(['\n', '#']) {
        return;
    }
    while blocks.last().is_some_and(|(own, _)| *own > margin) {
        blocks.pop();
    }
    if blocks.last().is_none_or(|(own, _)| *own < margin) {
        blocks.push((margin, 0));
    }
    if let Some((_, elifs)) = blocks.last_mut() {
        if rest.starts_with("elif") {
            *elifs += 1;
        } else if !rest.starts_with("else") {
            *elifs = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nests_without_an_end_is_found_with_its_line() {
        let many = 5000;
        for deep in [
            format!("{}{}", "[".repeat(many), "]".repeat(many)),
            format!("1{}", "+1".repeat(many)),
            format!("{}1", "not ".repeat(many)),
            format!("{}1", "-".repeat(many)),
            format!("f{}", "()".repeat(many)),
            format!("a{}", ".b".repeat(many)),
            format!("{}1", "lambda: ".repeat(many)),
            format!("{}1", "1 if 1 else ".repeat(many)),
            format!("if a:\n  b\n{}", "elif a:\n  b\n".repeat(many)),
            (0..many).map(|depth| format!("{}if a:\n", " ".repeat(depth))).collect::<String>(),
            format!("[{}1]", "\n-".repeat(many)),
        ] {
            let script = format!("a = 1\nb = 2\nx = 3\n{deep}");
            assert!(too_deep(&script).is_some_and(|line| line >= 4), "{}", &script[..60]);
        }
    }

    #[test]
    fn what_is_long_but_not_deep_passes() {
        let long = format!("x = [\n{}]\n", "    (1, 2, \"[[[[\", f(3) + 4),\n".repeat(5000));
        assert_eq!(too_deep(&long), None);
        assert_eq!(too_deep(&"def a():\n    if b:\n        c(1)\n    # ((((\n\n".repeat(5000)), None);
        assert_eq!(too_deep(&format!("x = \"{}\"", "(".repeat(5000))), None);
    }
}
