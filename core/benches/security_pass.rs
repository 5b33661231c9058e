//! How many bytes of added lines the security pass looks at in a second.

use std::hint::black_box;

use aurumcode_core::change::{Change, ChangeKind, FileChange, Hunk, LineKind, RepoPath};
use aurumcode_core::rules::{Catalog, SecurityPass};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Sources of this project, as ordinary as any code: each line counts as added.
const SOURCES: &[(&str, &str)] = &[
    ("catalog.rs", include_str!("../src/rules/catalog.rs")),
    ("hunk.rs", include_str!("../src/change/hunk.rs")),
    ("registry.rs", include_str!("../src/provider/registry.rs")),
    ("syntax.rs", include_str!("../src/rules/syntax.rs")),
];

/// Lines of other languages, some of which hold what the pass looks for.
const LINES: &[(&str, &str)] = &[
    (
        "a.py",
        "import os\n\nclass Store:\n    def __init__(self, connection, table='items'):\n        \
         self.connection = connection\n        self.table = table\n\n    def find(self, name):\n        \
         cursor = self.connection.cursor()\n        cursor.execute(\"SELECT id, name FROM items WHERE \
         name = %s\", (name,))\n        return [Item(*row) for row in cursor.fetchall()]\n\n    \
         def export(self, path):\n        with open(path, 'w') as file:\n            for item in \
         self.all():\n                file.write(f\"{item.id},{item.name}\\n\")\n",
    ),
    (
        "a.ts",
        "export class List {\n  private readonly items: Item[] = [];\n\n  constructor(private readonly \
         root: HTMLElement) {}\n\n  add(item: Item): void {\n    this.items.push(item);\n    const row = \
         document.createElement('li');\n    row.textContent = item.name;\n    \
         this.root.appendChild(row);\n  }\n\n  async load(url: string): Promise<void> {\n    const \
         response = await fetch(url, { headers: { accept: 'application/json' } });\n    for (const item \
         of await response.json()) {\n      this.add(item);\n    }\n  }\n}\n",
    ),
];

fn added(path: &str, text: &str, bytes: usize) -> FileChange {
    let mut hunk = Hunk::new(0, 1);
    let mut lines = text.lines().cycle();
    while hunk.text().len() < bytes {
        let Some(line) = lines.next() else { break };
        hunk.push(LineKind::Added, line.as_bytes(), true);
    }
    FileChange {
        path: RepoPath::from(path),
        old_path: None,
        kind: ChangeKind::Added,
        hunks: vec![hunk],
        line_count: None,
    }
}

fn added_lines(criterion: &mut Criterion) {
    let Ok(pass) = Catalog::embedded().and_then(|catalog| SecurityPass::new(&catalog)) else {
        return;
    };
    let mut group = criterion.benchmark_group("security_pass");
    for (name, sources) in [("rust", SOURCES), ("python and typescript", LINES)] {
        let files = sources
            .iter()
            .map(|(path, text)| added(path, text, 256 * 1024))
            .collect();
        let change = Change::new(files, Vec::new());
        let bytes: usize = change
            .files
            .iter()
            .flat_map(FileChange::added_lines)
            .map(|line| line.content.len())
            .sum();
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(pass.run(&change)));
        });
    }
    group.finish();
    criterion.bench_function("compile the rules", |bencher| {
        bencher.iter(|| {
            black_box(Catalog::embedded().and_then(|catalog| SecurityPass::new(&catalog)))
        });
    });
}

criterion_group!(benches, added_lines);
criterion_main!(benches);
