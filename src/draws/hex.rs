//! Hexadecimal in the one spelling that is accepted: lower case, two digits a byte.

/// Returns the bytes as lower-case hexadecimal.
pub(super) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes that `text` spells, or `None` if it has a capital, an odd number of digits or anything else in it.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| if let [high, low] = *pair { Some(digit(high)? << 4 | digit(low)?) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read_as_it_was_written() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&bytes)), Some(bytes));
        assert_eq!(decode(""), Some(Vec::new()));
    }

    #[test]
    fn another_spelling_is_not_read() {
        for text in ["0", "abc", "AB", "aB", "0x00", " 00", "00 ", "g0", "+1", "é"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
