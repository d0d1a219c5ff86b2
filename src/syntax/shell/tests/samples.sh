set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
BRANCH="$(git branch --show-current)"
if [ -z "$BRANCH" ]; then
  echo "no branch is checked out" >&2
  exit 1
fi
git push origin "HEAD:$BRANCH" || { echo "push failed"; exit 2; }
#----
for file in src/*.rs tests/**/*.rs; do
  [ -e "$file" ] || continue
  lines=$(wc -l < "$file")
  if (( lines > 500 )); then
    printf '%s has %d lines\n' "$file" "$lines"
  fi
done | sort -rn | head -20
#----
VERDICT=$(printf '%s' "$RAW" | tr -d '[:space:]' | tr 'a-z' 'A-Z')
case "$VERDICT" in
  PASS|PASSED) echo ok ;;
  FAIL*)
    echo "failed"
    exit 1
    ;;
  *) echo "unknown: $VERDICT" >&2; exit 2 ;;
esac
#----
while IFS= read -r line; do
  [[ "$line" =~ ^([A-Za-z_]+)=(.*)$ ]] || continue
  key="${BASH_REMATCH[1]}"
  value="${BASH_REMATCH[2]}"
  declare "$key=$value"
done < <(grep -v '^#' settings.env)
#----
cat > "$TMP/prompt.md" <<PROMPT
Review the change below.
Title: ${TITLE:-none}
$(git log --oneline -3)
It's a "draft"; cost: \$5 (roughly)
PROMPT
agent --file "$TMP/prompt.md" > "$TMP/out.txt" 2>&1
#----
cat <<'SCRIPT' > run.py
import json
data = {"a": [1, 2], 'b': "it's (fine"}
print(json.dumps(data))
SCRIPT
python3 run.py | jq -r '.a[0]'
#----
extract() {
  local text="$1" field=$2
  printf '%s' "$text" | sed -n "s/^${field}: *//p" | tail -n 1
}
STATUS="$(extract "$REPORT" STATUS)"
if [[ $STATUS == "DONE" && -n "${NEXT:-}" ]]; then
  echo "$NEXT"
elif [[ $STATUS != DONE ]]; then
  exit 1
else
  echo finished
fi
#----
trap 'rm -rf "$WORK"' EXIT
WORK=$(mktemp -d)
for i in {1..5}; do
  if curl -fsS "http://localhost:8080/health" > "$WORK/health.json"; then
    break
  fi
  sleep $((i * 2))
done
jq -e '.status == "up"' "$WORK/health.json" > /dev/null
#----
names=(alpha "beta gamma" 'delta')
names+=(epsilon)
declare -A seen=([alpha]=1 [beta]=2)
for name in "${names[@]}"; do
  echo "${#name} ${name^^} ${name//a/A} ${seen[$name]:-0}"
done
echo "${names[@]:1:2} ${!seen[*]} ${names[-1]%%i*}"
#----
total=0
for ((i = 0; i < ${#files[@]}; i++)); do
  size=$(stat -c %s "${files[i]}")
  ((total += size)) || true
  (( size > 1024 )) && echo "${files[$i]} is $((size / 1024)) KiB"
done
echo "$total"
#----
main() (
  set -e
  cd "$1" && { make; make test; } 2>&1 | tee log.txt
  grep -q 'FAILED' log.txt && return 1 || return 0
)
main build
#----
{
  echo "## Summary"
  echo "- branch: \`$BRANCH\`"
  echo '- status: `ok`'
  if [ "$COUNT" -gt 0 ]; then echo "- $COUNT findings"; fi
} >> "$GITHUB_STEP_SUMMARY"
#----
select_mode() {
  case ${1:-auto} in
    auto) mode=a ;;
    fast | quick) mode=f; timeout=10 ;;
    (slow) mode=s ;;
    [0-9]*) mode=n ;&
    n) echo numeric ;;
  esac
  echo "$mode ${timeout:-60}"
}
select_mode "$@"
#----
OUT=`git status --porcelain | wc -l`
if test "$OUT" -ne 0 -a ! -f .skip; then
  echo "dirty: `git diff --stat \`git merge-base HEAD main\``"
fi
#----
until docker info >/dev/null 2>&1 || [ "${tries:=0}" -ge 5 ]; do
  tries=$((tries + 1))
  sleep 1
done
docker run --rm -v "$PWD:/src:ro" image:latest bash -c 'cd /src && ./check "$@"' -- "$@"
#----
RESULT=$(
  # the last line counts
  agent ask "Is it ready? Answer YES or NO." |
    tail -n 1 |
    tr -d '\r'
)
[ "$RESULT" = "YES" ] && exit 0
exit 1
#----
exec 3>&1 4>&2
exec > >(tee -a run.log) 2>&1
echo started at "$(date +%FT%TZ)"
exec 1>&3 2>&4 3>&- 4>&-
#----
if ! OUTPUT=$(cargo test --quiet 2>&1); then
  echo "$OUTPUT" | grep -E '^(error|test .* FAILED)' || true
  echo "::error::tests failed"
  exit 1
fi
#----
usage() { cat <<-END
	usage: ${0##*/} [-v] [-o FILE] NAME
	  -v   say more
	END
}
while getopts ':vo:h' opt; do
  case $opt in
    v) verbose=1;;
    o) out=$OPTARG;;
    h) usage; exit 0;;
    \?) echo "unknown option -$OPTARG" >&2; usage; exit 2;;
  esac
done
shift $((OPTIND - 1))
#----
find . -name '*.md' -not -path './target/*' -print0 |
  xargs -0 -n 1 sh -c 'grep -Hn "NOTE(" "$1" || true' _ |
  awk -F: '{ count[$1]++ } END { for (f in count) print count[f], f }' |
  sort -rn
#----
ISSUE=$(gh issue view "$N" --json title,body --jq '.title + "\n" + .body')
LABELS=$(gh issue view "$N" --json labels -q '[.labels[].name] | join(",")')
[[ ",$LABELS," == *",bug,"* ]] && kind=bug || kind=task
echo "kind=$kind" >> "$GITHUB_OUTPUT"
echo "title<<EOT" >> "$GITHUB_OUTPUT"
echo "$ISSUE" >> "$GITHUB_OUTPUT"
echo "EOT" >> "$GITHUB_OUTPUT"
#----
x="a 'quoted' \"word\" $(echo "nested \"deep\" $(echo 'deeper)')")"
y='single "double" inside'\''s'
z=$'tab\there\'s'
echo "$x$y$z" | cat -A
#----
diff <(sort a.txt) <(sort b.txt) > delta.txt || true
comm -23 <(cut -d, -f1 a.csv | sort -u) <(cut -d, -f1 b.csv | sort -u) | while read -r id; do echo "gone: $id"; done
#----
if [ -f package.json ] && command -v npm > /dev/null; then
  npm ci
  npm test -- --ci
elif [ -f Cargo.toml ]; then cargo test
elif [ -f go.mod ]; then go test ./...
else echo "nothing to test"; fi
#----
LOG=${LOG:-/tmp/run.log}; : > "$LOG"
step() { echo "== $*" | tee -a "$LOG"; "$@" >> "$LOG" 2>&1; }
step make clean && step make all || { tail -n 50 "$LOG"; exit 1; }
#----
time (sleep 1; echo done) &
pid=$!
wait "$pid" && echo "finished $pid" || echo "failed with $?"
#----
version=${TAG#v}
major=${version%%.*}
rest=${version#*.}
minor=${rest%%.*}
[[ $major =~ ^[0-9]+$ && $minor =~ ^[0-9]+$ ]] || { echo "bad tag '$TAG'"; exit 1; }
echo "next: $major.$((minor + 1)).0"
#----
mapfile -t changed < <(git diff --name-only "origin/$BASE...HEAD")
if ((${#changed[@]} == 0)); then
  echo 'nothing changed'; exit 0
fi
printf '%s\n' "${changed[@]}" | grep -vE '\.(md|txt)$' > code.txt || :
#----
function cleanup {
  local status=$?
  [[ -d $scratch ]] && rm -rf -- "$scratch"
  return $status
}
trap cleanup INT TERM EXIT
#----
a=1 b="two words" c='three' env | sort | sed -e 's/^/  /' -e '/^  _/d'
unset a b c; readonly K=v; export PATH="$HOME/bin:$PATH" LANG=C
#----
jq -n --arg title "$T" --argjson n "${N:-0}" '{title: $title, n: $n, list: [1, (2 | . + 1)]}' > body.json
curl -X POST -H 'Content-Type: application/json' --data @body.json "$URL/items?x=1&y=2"
#----
awk '
  BEGIN { FS = "," }
  $3 > 10 { print $1 " (" $2 ")" }
' data.csv | while IFS=' ' read -r name rest; do
  case $name in ''|\#*) continue;; esac
  echo "${name,,}:${rest:-}"
done
#----
for pair in a:1 b:2; do
  key=${pair%:*} value=${pair##*:}
  if [[ ( $key == a || $key == b ) && ! $value -gt 5 ]]; then
    eval "$key=\$value"
  fi
done; echo "$a,$b"
#----
ssh host 'set -e; cd app; if [ -d .git ]; then git pull; fi' <<< "$PASSWORD" && echo "deployed" # to production
#----
coproc WORKER { while read -r job; do echo "did $job"; done; }
echo one >&"${WORKER[1]}"
read -r answer <&"${WORKER[0]}"
echo "$answer"
#----
[ "$#" -ge 1 ] || set -- default
[ "${1:0:1}" = "-" ] && echo option || echo "argument $1 of $#: $*"
echo "${@: -1}" "$-" "$!" "$$" "$?"
#----
if grep -q '{' file && ! grep -q '}' file; then echo "unbalanced {"; fi
echo { } "}" '{' \{ a{b,c}d ${x}{y} {1..3}
#----
cat <<ONE; cat <<"TWO"; echo three
first $(date)
ONE
second $(not run) `nor this`
TWO
echo four
#----
result="$(cat <<JSON
{"verdict": "PASS", "notes": "isn't (bad)"}
JSON
)"
echo "$result" | jq -r .verdict
