//! Values that look drawn, the same in every run.

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn alphabet(kind: char) -> Vec<u8> {
    let digits = b"0123456789".to_vec();
    match kind {
        'd' => digits,
        'h' => b"0123456789abcdef".to_vec(),
        'u' => [&LETTERS[..26], &digits].concat(),
        'a' => [&LETTERS[26..], &digits].concat(),
        'A' => [LETTERS, &digits].concat(),
        'w' => [LETTERS, &digits, b"_-"].concat(),
        'b' => [LETTERS, &digits, b"+/"].concat(),
        other => panic!("no alphabet {other}"),
    }
}

/// Replaces each `{kn}` by `n` characters of the alphabet `k`. Every sixth is a digit, so that no
/// value is a word by chance.
pub(crate) fn text(template: &str) -> String {
    let mut state = template
        .bytes()
        .fold(0x9e37_79b9_7f4a_7c15_u64, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap()
    };
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (code, after) = after.split_once('}').unwrap();
        let kind = code.chars().next().unwrap();
        let letters = alphabet(kind);
        for place in 0..code[1..].parse::<usize>().unwrap() {
            if place % 6 == 2 {
                text.push(char::from(b'0' + u8::try_from(next() % 10).unwrap()));
            } else {
                // The ends are letters, so that a value does not end in a dash.
                let alphabet = if kind == 'w' || kind == 'b' {
                    &letters[..62]
                } else {
                    &letters
                };
                let pool = if place % 5 == 4 { &letters } else { alphabet };
                text.push(char::from(pool[next() % pool.len()]));
            }
        }
        rest = after;
    }
    text.push_str(rest);
    text
}
