//! What is accepted and what is refused, as `bash -n` 5.2 does it.

use super::{bash, errors, template};

/// Constructs that bash accepts. Several are traps for other parsers.
const ACCEPTED: &[&str] = &[
    "",
    "\n\n# only a comment\n",
    "a; b & c\nd",
    "a && b || c | d |& e",
    "! a; ! ! b; time c; time -p -- d; time\n!;",
    "if a; then b; elif c; then d; else e; fi",
    "if (a) then b; fi; if [[ a ]] then b; fi; while ((a)) do b; done",
    "for x in a b; do c; done; for x do c; done; for x; do c; done; for x in a; { b; }; for x\n{ b; }",
    "for ((i = 0; i < 3; i++)) do a; done; for ((;;)); { b; }",
    "select x in a b; do c; done; select x do a; done",
    "case x in esac; case x in a) ;; (b|c) d;; *) e;& f) g;;& h) i; esac",
    "case in in in) a;; if) b;; (esac) c;; d|esac) e;; esac",
    "x=$(case y in z) w;; esac)",
    "{ a; }; { (b) } ; { { c; } }; ( (d) )",
    "f() { a; }; g () ( b ); function h { c; }; function i () { d; }; j() [[ a ]]; k() if a; then b; fi > c",
    "\"q\" () { a; }; a-b() { c; }; f()\n\n{ a; }",
    "coproc a; coproc { a; }; coproc n { a; } > b; coproc n while a; do b; done",
    "[[ -n $a && ( $b == c* || ! -f d ) ]]",
    "[[ $x =~ ^(a|b c)[[:space:]#]*$ ]] && [[ $x =~ ([Ii]ssue[[:space:]#]*|#)([0-9]+) ]]",
    "[[ a =~ b|c ]]; [[ a == @(b|c d) ]]; [[ (a =~ b) ]]; [[ a < b ]]",
    "((a << 2)); x=$((a << 2)); x=$((10#$m)); echo $[ a[1] ]",
    "x=$((a; b) | c); ((a; b) | c)",
    "echo \"${e:$i:1}\" \"${e:$i}\" \"${x//]/}\" \"${x//)/}\" \"${x~~}\" \"${y%'\"'}\"",
    "echo ${a:-{b}} \"${a:-\"b\"}\" ${a#'}'} ${#a} ${#} ${!a} ${!a*} ${!a[@]} ${a[1]:2:3} ${a@Q} ${a^^} ${-} ${?}",
    "case \"$x\" in *\"|a@b|\"*\"|c\") d;; esac",
    "cat <<A <<B\n)\nA\n\"\nB\n",
    "cat <<EOF && cat <<EOF2\n'\nEOF\n'\nEOF2\n",
    "cat <<EOF; echo x\n'\nEOF\n{ cat <<EOF; }\n'\nEOF\n",
    "a <<EOF &\n'\nEOF\n",
    "a <<EOF | while read -r x; do\n'\nEOF\nb\ndone",
    "x=$(cat <<EOF\n) ' \"\nEOF\n)",
    "x=$(cat <<'EOF'\n)\nEOF)",
    "x=$(cat <<EOF)\nfi\nEOF\n",
    "cat <<-EOF\n\t'\n\tEOF\ncat <<\"E F\"\n'\nE F\ncat <<\\EOF\n'\nEOF\n",
    "cat <<EOF\nnever closed '",
    "exec 3<>/dev/tcp/x/1; g <>h; a >|b 2>&1 {fd}>c <&- >&2 &>d &>>e <<<f",
    "[ \"$a\" \\< \"$b\" ]; [ a -o \\( b \\) ]; echo a\\<EOF\\>",
    "a <(b) >(c) > >(d) < <(e)",
    "a=(b [c]=d [e f]+=g # h )\n\n); a+=(b); a[x y]=z; a[1]=(b); A=1 if; declare -A x=([a]=b); local y=(1); eval z=(1)",
    "echo `a # b` `a \\`b\\`` \"`a \"b\"`\" `if`",
    "echo $'a\\'b' $\"c\" 'd' \"e\\\"f\" g\\'h",
    "echo if then fi { } [[ ]] in ! time",
    "echo a#b \"#\" # ' \" (",
    "a \\\n b && \\\n c\\\nd",
    "echo {a,b} {1..3} {a } * ? [a] ~/x",
    "a |\n\n# c\n b &&\n\n d",
    "if !(a); then b; fi",
    "shopt -s extglob\ncase x in @(a|b)) c;; !(d)) e;; esac; ls *.!(x|y)",
    "if a; then\r\n  b\r\nfi\r\ncat <<EOF\r\n'\r\nEOF\r\n",
    "日本 'é' $été \"ü\"",
];

#[test]
fn accepted() {
    for text in ACCEPTED {
        assert_eq!(bash(text).errors, [], "{text}");
        assert_eq!(template(text).errors, [], "{text}");
    }
}

/// What bash refuses, the text that the first error points at and a part of its message.
const REFUSED: &[(&str, &str, &str)] = &[
    ("if a; then b", "if", "`if` has no `fi`"),
    ("if a; b; fi", "if", "`if` has no `then`"),
    ("if a; then fi", "fi", "a command is missing before `fi`"),
    ("if a; then b; else\nfi", "fi", "missing before `fi`"),
    ("if a; then b; elif c; fi", "elif", "`elif` has no `then`"),
    ("while a; do b", "while", "`while` has no `done`"),
    ("while a; done", "while", "`while` has no `do`"),
    ("for x in a b", "for", "`for` has no `do`"),
    ("case x in a) b;;", "case", "`case` has no `esac`"),
    ("case x in a b) c;; esac", "a", "`)` is missing"),
    ("f() { a", "{", "`{` has no `}`"),
    ("f() g", "f", "needs a compound command"),
    ("(a", "(", "`(` has no `)`"),
    ("a; done", "done", "stray `done`: no loop is open here"),
    ("a; fi", "fi", "stray `fi`"),
    ("esac", "esac", "stray `esac`"),
    ("}", "}", "stray `}`"),
    ("a)", ")", "stray `)`"),
    ("a;; b", ";;", "stray `;;`"),
    ("()", ")", "a command is missing"),
    ("{ }", "}", "a command is missing"),
    ("a &&", "&&", "a command is missing after `&&`"),
    ("a | | b", "|", "a command is missing after `|`"),
    ("a ; ; b", ";", "unexpected `;`"),
    ("& a", "&", "unexpected `&`"),
    ("(a) b", "b", "unexpected `b`"),
    ("echo a (b)", "(", "unexpected `(`"),
    ("echo a=(b)", "(", "unexpected `(`: an array"),
    ("a=(b", "(", "array is never closed"),
    ("a=(b; c)", ";", "inside the `( )` of an array"),
    ("a >", ">", "has no target"),
    ("cat <<\nx", "<", "has no target"),
    ("echo \"a", "\"", "double quote is never closed"),
    ("echo 'a", "'", "single quote is never closed"),
    ("echo $'a", "$'", "never closed"),
    ("echo `a", "`", "backquote is never closed"),
    ("echo $(a", "$(", "`$(` is never closed"),
    ("echo ${a", "${", "`${` is never closed"),
    ("echo $((a)", "$((", "`$((` is never closed"),
    ("((a", "((", "`((` is never closed"),
    ("echo \"$(if)\"", "if", "`if` has no `then`"),
    ("x=$(a;; b)", ";;", "stray"),
    ("if a; then x=$(fi); fi", "fi", "stray `fi`"),
    ("[[ a", "a", ""),
    ("[[ a == ]]", "]]", "`==` has no right side"),
    ("[[ -f ]]", "-f", "has no argument"),
    ("[[ a b c ]]", "b", "no operator"),
    ("[[ x =~ a&b ]]", "&", "unexpected"),
    ("[[ ]]", "]]", "an expression is missing"),
    ("case x in @(a|b)) c;; esac", "@(", "shopt -s extglob"),
    ("for ((a; b)); do c; done", "((", "three expressions"),
    ("a | ! b", "!", "inside a pipeline"),
    ("coproc", "coproc", "needs a command"),
    ("echo \"${x:-it's}\"", "'", "single quote"),
];

#[test]
fn refused() {
    for (text, place, message) in REFUSED {
        let errors = errors(text);
        let (found, said) = errors.first().unwrap_or_else(|| panic!("accepted: {text}"));
        assert!(said.contains(message), "{text}: {said}");
        if !message.is_empty() {
            assert_eq!(found, place, "{text}: {said}");
        }
        assert!(!template(text).errors.is_empty(), "{text}");
    }
}
