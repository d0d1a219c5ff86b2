//! What the tree says, construct by construct.

use super::super::ast::{List, PartKind, WordPart};
use super::super::{Holes, Options, parse, visit};
use super::{bash, render, template};
use crate::text::Span;

const TREES: &[(&str, &str)] = &[
    ("a b; c & d", "a b ; c & ; d"),
    ("a && b || ! c | d |& e", "a && b || ! c | d |& e"),
    ("if a; then b; elif c; then d; else e; fi", "(if (a) (b) elif (c) (d) else (e))"),
    ("until a; do b; done; while c; do d; done", "(until (a) (b)) ; (while (c) (d))"),
    (
        "for x in a $b; do c; done; for y; do d; done; select z in e; do f; done",
        "(for x in (a $b) (c)) ; (for y in (@) (d)) ; (select z in (e) (f))",
    ),
    ("for ((i=0; i<$n; i++)); do a; done", "(for(( i=0; i<·$n·; i++ (a))"),
    ("case $x in a|b*) c;; (d) e;& *) f;;& g) h; esac", "(case $x [a|b·/*/](c);; [d](e);& [/*/](f);;& [g](h);;)"),
    ("(a; b) > c; { d; } 2>&1", "(sub a ; b) >c ; (group d) 2>&1"),
    ("((a + 1)); x=$((b * (c + $d)))", "(( a + 1 )) ; x=$((b * (c + ·$d·)))"),
    ("x=$((a; b) | c)", "x=$((sub a ; b) | c)"),
    ("((a; b) | c)", "(sub (sub a ; b) | c)"),
    ("f() { a; } > b; function g ( c )", "(function f (group a) >b) ; (function g (sub c))"),
    ("coproc n { a; }; coproc b c", "(coproc (group a)) ; (coproc b c)"),
    ("[[ -n $a && ! ( b == c* || d ) ]]", "[[ ((-n $a) && (! ((b == c·/*/) || d))) ]]"),
    (
        "[[ $x =~ ^(a|b c)\\.[0-9]+#$ && y < z ]]",
        "[[ (($x =~ /^/·/(/·/a/·/|/·/b/·/ /·/c/·/)/·/\\./·/[/·/0-9]/·/+/·/#/·/$/) && (y < z)) ]]",
    ),
    ("[[ a == @(b|$c)* ]]", "[[ (a == /@(/·b·/|/·$c·/)/·/*/) ]]"),
    ("[[ a && b && c && d ]]", "[[ ((a && b) && (c && d)) ]]"),
    ("A=1 b+=$c d[e f]=g h i=j", "A=1 b+=$c d[e f]=g h i=j"),
    ("a=(b 'c' [d]=e) f", "a=(b 'c' [d]=e) f"),
    ("local -r a=1 b=(c d) e", "local -r a= b= e declared:a=1 declared:b=(c d)"),
    (
        "a\\ b 'c d' \"e $f ${g:-h} $(i)\" $'j\\n\\'\\x41' $\"k\"",
        "a b 'c d' \"e ·$f· ·${g:-h}· ·$(i)\" $'j\\n\\'A' \"k\"",
    ),
    ("\"\\$a \\b \\\" \\`\"", "\"$a \\b \" `\""),
    ("a\"b\"'c'$d{e}", "a·\"b\"·'c'·$d·{e}"),
    ("$A/i/$1 $B-$3 $10 $_x-y $@ $? $$ $", "$A·/i/·$1 $B·-·$3 $1·0 $_x·-y $@ $? $$ $"),
    ("${e:$i:1} ${e:0:-1} ${e: -1} ${e:(a?b:c)}", "${e:$i:1} ${e:0:-1} ${e: -1} ${e:(a?b:c)}"),
    (
        "${x//]/} ${x//)/}} ${x/#a/b} ${x/%a} ${x/a\\/b/c}",
        "${x//] with } ${x//) with }·} ${x/#a with b} ${x/%a} ${x/a/b with c}",
    ),
    (
        "${x~~} ${x^} ${x,,} ${x@Q} ${#x} ${#x[@]} ${!x} ${!x*} ${!x[@]} ${!x:-a}",
        "${x~~} ${x^} ${x,,} ${x@Q} ${x length} ${x[@] length} ${!x indirect} ${!x names} ${!x[@] names} ${!x:-a}",
    ),
    (
        "${x#a*} ${x##*/} ${x%.c} ${x%%'}'} ${x-a} ${x=b} ${x:?c} ${x:+d}",
        "${x#a·/*/} ${x##/*/·/} ${x%.c} ${x%%'}'} ${x-a} ${x=b} ${x:?c} ${x:+d}",
    ),
    ("${#} ${##} ${#-} ${?} ${-} ${#?} ${1} ${12}", "$# ${# length} ${- length} $? $- ${? length} $1 $12"),
    ("*.[ch] a{b,c} {1..3} {d ~/e [f g]", "/*/·.·/[ch]/ a·/{b,c}/ /{1..3}/ {d /~/·/e [f g]"),
    ("`a \\`b \\$c\\`` \"`d`\"", "`a `b $c)) \"`d)\""),
    ("a <(b) > >(c)", "a <(b) >>(c)"),
    (
        "a <b >c >>d 2>e &>f >&g >&2 <&3 <>h <<<i {fd}>j &>>k >|l 2>&- 2>&1-",
        "a <b >c >>d 2>e &>f &>g >&2 <&3 <>h <<<i >j &>>k >l 2>&- 2>&1-",
    ),
    ("cat <<A <<'B' | c\na $x \\$y `z`\nA\n$w\nB\nd", "cat <<A<a ·$x· $y ·`z)·↵> <<'B'<$w↵> | c ; d"),
    ("cat <<-E\n\ta\n\t\t$b\n\tE\nc", "cat <<-E<a↵·$b·↵> ; c"),
    ("x=$(cat <<E\n)\nE\n) y\n", "x=$(cat <<E<)↵>) y"),
    ("x=$(cat <<E\na\nE)", "x=$(cat <<E<a↵>)"),
    ("while read -r l; do a <<E; done <<F\n1\nE\n2\nF", "(while (read -r l) (a <<E<1↵>)) <<F<2↵>"),
    ("cat <<E\na", "cat <<E<a>..."),
    ("cat <<E\na\\\nE\nb\nE\n", "cat <<E<aE↵b↵>"),
    ("a # b\n# c", "a"),
    ("a \\\n b\\\nc", "a bc"),
    ("! time a; time -p b", "! a ; b"),
    ("if !(a); then b; fi", "(if (! (sub a)) (b))"),
];

#[test]
fn trees() {
    for (text, expected) in TREES {
        let script = bash(text);
        assert_eq!(script.errors, [], "{text}");
        assert_eq!(render::list(&script.body), *expected, "{text}");
    }
}

const HOLES: &[(&str, &str)] = &[
    ("{{cmd}} a {{b.c}}-{{d_e}} 2>&1", "<hole cmd> a <hole b.c>·-·<hole d_e> 2>&1"),
    ("echo \"x {{y}} $z\" 'a {{b}} c' $'{{d}}\\n'", "echo \"x ·<hole y>· ·$z\" 'a ·<hole b>· c' '<hole d>·↵'"),
    ("x={{y}}; x=$(( {{a}} + 1 )); ((  {{b}} > 2 ))", "x=<hole y> ; x=$(( ·<hole a>· + 1 )) ; ((   ·<hole b>· > 2  ))"),
    ("{ {{a}}; }; {{{b}}; {{ c }} {{d e}} {{}}", "(group <hole a>) ; {·<hole b> ; {{ c }} {{d e}} {{}}"),
    ("${x:-{{y}}} ${{{z}}:+w} $#{{v}} ${{u}}", "${x:-<hole y>} ${{{z}}:+w} $#·<hole v> $·<hole u>"),
    (
        "case {{a}} in {{b}}|c) d;; esac; [[ {{e}} == {{f}}* ]]",
        "(case <hole a> [<hole b>|c](d);;) ; [[ (<hole e> == <hole f>·/*/) ]]",
    ),
    ("cat <<E <<'F'\n{{a}} $b\nE\n{{c}} $d\nF", "cat <<E<<hole a>· ·$b·↵> <<'F'<<hole c>· $d↵>"),
    ("a >{{b}}; for x in {{c}}; do d; done; e=({{f}} g)", "a ><hole b> ; (for x in (<hole c>) (d)) ; e=(<hole f> g)"),
    ("`a {{b}}` \"$(c {{d}})\"", "`a <hole b>) \"$(c <hole d>)\""),
];

#[test]
fn template_holes() {
    for (text, expected) in HOLES {
        let script = template(text);
        assert_eq!(script.errors, [], "{text}");
        assert_eq!(render::list(&script.body), *expected, "{text}");
        for part in places(&script.body) {
            assert!(text[part.range()].starts_with("{{") && text[part.range()].ends_with("}}"), "{text}");
        }
    }
}

/// Places of the holes.
fn places(body: &List) -> Vec<Span> {
    struct Places(Vec<Span>);
    impl<'a> visit::Visitor<'a> for Places {
        fn part(&mut self, part: &'a WordPart) {
            if matches!(part.kind, PartKind::Hole(_)) {
                self.0.push(part.span);
            }
        }
    }
    let mut found = Places(Vec::new());
    visit::list(body, &mut found);
    found.0
}

#[test]
fn expression_holes() {
    let table = [
        ("${{ a.b }} \"${{ c }}\" '${{ d }}'", "<hole  a.b > \"<hole  c >\" '<hole  d >'"),
        ("x=${{ format('}}') }}y {{z}}", "x=<hole  format('}}') >·y {{z}}"),
        ("cat <<'E'\n${{ a }}\nE", "cat <<'E'<<hole  a >·↵>"),
        ("${x} ${y:-${{ z }}}", "$x ${y:-<hole  z >}"),
    ];
    for (text, expected) in table {
        let script = parse(text, Options { holes: Holes::Expression });
        assert_eq!(script.errors, [], "{text}");
        assert_eq!(render::list(&script.body), expected, "{text}");
    }
}

/// After an error the other commands are still there.
#[test]
fn recovery() {
    let table = [
        ("a\nif b; then\nc\n", "a ; (if (b) (c))"),
        ("f() {\nif a; then\nb\n}\nc", "(function f (group (if (a) (b)))) ; c"),
        ("while a; do if b; then c; done; d", "(while (a) ((if (b) (c)))) ; d"),
        ("a; done; b } ; c", "a ; b } ; c"),
        ("a\n}\nb", "a ; b"),
        ("echo \"a $b\nc d\ne", "echo \"a ·$b\" ; c d ; e"),
        ("echo 'a\nb", "echo 'a' ; b"),
        ("x=$((1 + 2\nb", "x=$((1 + 2)) ; b"),
        ("x=${y:-z\nb", "x=$y ; b"),
        ("echo `a\nb", "echo `a) ; b"),
        ("x=$(a; b\nc", "x=$(a ; b ; c)"),
        ("[[ a b c ]] && d\ne", "[[ ? ]] && d ; e"),
        ("[[ a &&\nb", "[[ (a && ?) ]]"),
        ("a && ; b", "a ; b"),
        ("a | | b", "a ; b"),
        ("case x in a) b;; c d) e;; esac; f", "(case x [a](b);; [c](e);;) ; f"),
        ("while a; do case x in b) c;; done; d", "(while (a) ((case x [b](c);;))) ; d"),
        ("for x in a; b; done; c", "(for x in (a) (b)) ; c"),
        ("echo a (b) c", "echo a c"),
        ("a >\nb", "a > ; b"),
        ("{ a; \n) \n}; b", "(group a) ; b"),
    ];
    for (text, expected) in table {
        let script = bash(text);
        assert!(!script.errors.is_empty(), "{text}");
        assert_eq!(render::list(&script.body), expected, "{text}");
    }
}
