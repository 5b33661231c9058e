# What the scripts of this directory share: installing a server into a directory of its own, starting it, waiting for it
# with a limit, stopping exactly it, and one table row for each review. Sourced, never run.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=${AURUMCODE_BINARY:-$root/target/debug/aurumcode}
# Installed servers are kept between runs.
servers=${AURUMCODE_REAL_SERVERS:-$root/target/real-servers}
scratch=$(mktemp -d)
server_process=
failed=0

finish() {
    stop
    rm -rf "$scratch"
}
trap finish EXIT

# python_server <name> <requirement>...: makes $servers/<name> hold exactly these packages.
python_server() {
    local name=$1 wanted
    shift
    wanted="$*"
    if [[ $(cat "$servers/$name/wanted" 2>/dev/null) != "$wanted" ]]; then
        rm -rf "${servers:?}/$name"
        mkdir -p "$servers"
        python3 -m venv "$servers/$name"
        "$servers/$name/bin/pip" install --quiet --disable-pip-version-check "$@"
        printf '%s' "$wanted" >"$servers/$name/wanted"
    fi
}

# ask <method> <url> [body]: one HTTP request that ignores proxies, with $KEY if it is set; prints the body.
ask() {
    python3 - "$@" <<'PY'
import os, sys, urllib.request
method, url, *body = sys.argv[1:]
request = urllib.request.Request(url, method=method, data=body[0].encode() if body else None,
                                 headers={"content-type": "application/json",
                                          "authorization": "Bearer " + os.environ.get("KEY", "")})
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
sys.stdout.write(opener.open(request, timeout=10).read().decode())
PY
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# start <url> <command>...: starts a server and waits until the URL answers.
start() {
    local url=$1 waited=0
    shift
    "$@" >"$scratch/server.log" 2>&1 &
    server_process=$!
    until ask GET "$url" >/dev/null 2>&1; do
        if ((waited++ >= 300)) || ! kill -0 "$server_process" 2>/dev/null; then
            echo "the server did not come up:" >&2
            tail -20 "$scratch/server.log" >&2
            exit 1
        fi
        sleep 0.2
    done
}

stop() {
    [[ -n $server_process ]] || return 0
    kill "$server_process" 2>/dev/null || true
    wait "$server_process" 2>/dev/null || true
    server_process=
}

# repository <directory> <files> <lines>: a change of that many files with that many added lines each.
repository() {
    local directory=$1 files=$2 lines=$3 file line
    git init --quiet --initial-branch=main "$directory"
    git -C "$directory" config user.email nobody@example.com
    git -C "$directory" config user.name nobody
    git -C "$directory" commit --quiet --allow-empty --message start
    git -C "$directory" branch base
    for ((file = 1; file <= files; file++)); do
        for ((line = 1; line <= lines; line++)); do
            echo "let value_$line = compute($line);"
        done >"$directory/file_$file.rs"
    done
    git -C "$directory" add .
    git -C "$directory" commit --quiet --message change
}

# review <case> <exit code> <pattern> <repository> [VARIABLE=value]... [-- flag...]: reviews with nothing but these
# variables and prints a row of the table. The pattern has to be found in what was printed.
review() {
    local name=$1 wanted=$2 pattern=$3 directory=$4 code=0 verdict=ok said variables=()
    shift 4
    while (($#)) && [[ $1 != -- ]]; do
        variables+=("$1")
        shift
    done
    (($# == 0)) || shift
    (cd "$directory" && env -i PATH="$PATH" HOME="$scratch" TMPDIR="$scratch" "${variables[@]}" \
        timeout 120 "$binary" review --base base "$@") >"$scratch/stdout" 2>"$scratch/stderr" || code=$?
    said=$(cat "$scratch/stderr" "$scratch/stdout")
    if [[ $code != "$wanted" ]] || ! grep -Eq -- "$pattern" <<<"$said"; then
        verdict=FAILED
        failed=1
    fi
    printf '| %s | %s | %s | %s |\n' "$name" "$code" "$verdict" "$(cut_to_table <<<"$said")"
}

cut_to_table() { tr '\n|' '/ ' | cut -c 1-320; }

table() { printf '| case | exit code | verdict | printed |\n|---|---|---|---|\n'; }

expect() {
    local name=$1 pattern=$2 said=$3 verdict=ok
    if ! grep -Eq -- "$pattern" <<<"$said"; then
        verdict=FAILED
        failed=1
    fi
    printf '| %s | | %s | %s |\n' "$name" "$verdict" "$(cut_to_table <<<"$said")"
}
