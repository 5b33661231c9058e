//! How many bytes of ordinary diff go through the redaction in a second.

use std::hint::black_box;

use aurumcode_core::change::{Hunk, LineKind};
use aurumcode_core::redact::Redactor;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Sources of this project, which name tokens, keys and secrets more often than most.
const SOURCES: &[&str] = &[
    include_str!("../src/redact/assignment.rs"),
    include_str!("../src/change/hunk.rs"),
    include_str!("../src/change/language.rs"),
    include_str!("../src/change/path.rs"),
    include_str!("../src/redact/shapes.rs"),
    include_str!("../src/finding.rs"),
];

/// Three lines of context, three removed, four added, three of context, and so on.
fn hunks() -> (Vec<Hunk>, u64) {
    let kinds = [
        [LineKind::Context; 3].as_slice(),
        &[LineKind::Removed; 3],
        &[LineKind::Added; 4],
        &[LineKind::Context; 3],
    ]
    .concat();
    let lines: Vec<&str> = SOURCES.iter().flat_map(|source| source.lines()).collect();
    let mut bytes = 0;
    let mut hunks = Vec::new();
    for lines in lines.chunks(kinds.len()) {
        let mut hunk = Hunk::new(1, 1);
        for (line, kind) in lines.iter().zip(&kinds) {
            bytes += line.len() as u64 + 1;
            hunk.push(*kind, line.as_bytes(), true);
        }
        hunks.push(hunk);
    }
    (hunks, bytes)
}

fn redaction(criterion: &mut Criterion) {
    let values = [
        "sample-canary-0123456789".to_owned(),
        "sample-key-9876543210".to_owned(),
    ];
    let (hunks, bytes) = hunks();
    let text = SOURCES.concat();
    for (name, redactor) in [
        ("shapes", Redactor::default()),
        ("shapes and values", Redactor::new(values)),
    ] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function("hunks", |bencher| {
            bencher.iter(|| {
                hunks
                    .iter()
                    .map(|hunk| redactor.hunk(black_box(hunk)).len())
                    .sum::<usize>()
            });
        });
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("text", |bencher| {
            bencher.iter(|| redactor.text(black_box(&text)).len());
        });
        group.finish();
    }
}

criterion_group!(benches, redaction);
criterion_main!(benches);
