#!/usr/bin/env python3
"""Lists C++ functions that are too long: function_size.py [FILE or DIR ...] [--lines N] [--branches N] [--all].

Lines are those of the body, between its braces, blank lines and comments included. Branches are if, for, while, case,
catch, ?, && and ||. Code in lambdas and local classes belongs to the function around it. Exit status 1 if a function
has more than 60 lines or 20 branches. --all prints every function.

Sources are read as tokens, not compiled. That relies on clang-format in one place: `a && b` has a blank before its &&,
while a reference `T&&` has none.
"""

import argparse
import pathlib
import re
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]

TOKEN = re.compile(r"""
    (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
  | (?P<preprocessor>^[ \t]*\#(?:/\*.*?\*/|\\\n|[^\n])*)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)")
  | (?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
  | (?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
  | (?P<number>\.?\d(?:'[\da-zA-Z]|[eEpP][+-]|[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<symbol>&&|\|\||::|->\*?|<=>|[<>=!]=|[-+*/%^|&]=|\[\[|\]\]|\S)
""", re.VERBOSE | re.MULTILINE | re.DOTALL)

BRANCHES = {"if", "for", "while", "case", "catch", "?", "&&", "||", "and", "or"}
# Words that may precede parentheses but are not function names.
NOT_A_NAME = {"alignas", "decltype", "explicit", "noexcept", "requires", "__attribute__", "throw"}
CLOSING = {"(": ")", "[": "]", "[[": "]]"}


class Token(NamedTuple):
    text: str
    line: int
    attached: bool  # no blank before it


class Function(NamedTuple):
    path: str
    line: int
    name: str
    lines: int
    branches: int


def tokens(text):
    """The tokens of a source but for comments and preprocessor lines; each literal is one token."""
    line, counted = 1, 0
    for match in TOKEN.finditer(text):
        if match.lastgroup in ("comment", "preprocessor"):
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        kind = "mark" if match.group("raw") else match.lastgroup
        word = '""' if kind in ("text", "mark", "character") else match.group()
        yield Token(word, line, match.start() > 0 and not text[match.start() - 1].isspace())


def skip_group(head, at):
    """The place behind the group of brackets that opens at `at`."""
    depth, opening = 0, head[at].text
    closing = CLOSING.get(opening, ">")
    while at < len(head):
        depth += (head[at].text == opening) - (head[at].text == closing)
        at += 1
        if depth == 0:
            break
    return at


def outline(head):
    """The tokens of a declaration outside of all brackets; of parentheses, the opening one stays."""
    kept, at = [], 0
    while at < len(head):
        token = head[at]
        last = kept[-1].text if kept else ""
        template = token.text == "<" and last != "operator" and (last == "template" or re.match(r"\w", last))
        # The parentheses of operator()() are its name.
        if token.text == "(" and last == "operator":
            kept.append(Token("()", token.line, True))
            at = skip_group(head, at)
        elif token.text in CLOSING or template:
            if token.text == "(":
                kept.append(token)
            at = skip_group(head, at)
        else:
            kept.append(token)
            at += 1
    return kept


def name_of(kept):
    """The name before the parameters' parenthesis, or None if this declares no function."""
    for at, token in enumerate(kept):
        if token.text != "(" or at == 0 or kept[at - 1].text in NOT_A_NAME:
            continue
        first = at - 1
        if "operator" in (kept[i].text for i in range(max(0, at - 3), at)):
            first = next(i for i in range(at - 1, -1, -1) if kept[i].text == "operator")
        elif not re.match(r"\w", kept[first].text):
            return None
        if first > 0 and kept[first - 1].text == "~":
            first -= 1
        while first > 1 and kept[first - 1].text == "::":
            first -= 2
        return "".join(token.text for token in kept[first:at])
    return None


def kind_of(head):
    """What the brace behind `head` opens outside of functions: ("scope" | "function" | "value", name)."""
    if is_lambda(head):
        return "function", "lambda"
    # Inside parentheses: a value among a constructor's members or a default argument.
    if sum((token.text == "(") - (token.text == ")") for token in head) > 0:
        return "value", ""
    kept = outline(head)
    words = [token.text for token in kept]
    if "namespace" in words or words[:1] == ["extern"] and words[-1] == '""':
        return "scope", ""
    if "enum" in words:
        return "value", ""
    name = name_of(kept)
    if {"class", "struct", "union"} & set(words) and name is None:
        return "scope", ""
    if name is None or "=" in words and "operator" not in words:
        return "value", ""
    # A constructor's members: `: a_{a}, b_(b) {`; only behind a bracket does the body begin.
    behind = words[words.index("(") + 1:]
    if ":" in behind and words[-1] not in ("(", "{}"):
        return "value", ""
    return "function", name


def is_lambda(head):
    """Whether `head` ends with a lambda's introducer: [captures], perhaps (parameters), specifiers and a result."""
    at = len(head) - 1
    while at >= 0 and (re.match(r"\w|::|->|[<>*&]", head[at].text)):
        at -= 1
    if at >= 0 and head[at].text == ")":
        depth = 0
        while at >= 0:
            depth += (head[at].text == ")") - (head[at].text == "(")
            at -= 1
            if depth == 0:
                break
    if at < 0 or head[at].text != "]":
        return False
    while at >= 0 and head[at].text != "[":
        at -= 1
    # An index or an array's size stands behind a name.
    return at >= 0 and (at == 0 or not re.match(r"\w|\)|\]", head[at - 1].text) or head[at - 1].text == "return")


def is_branch(token):
    return token.text in BRANCHES and not (token.text == "&&" and token.attached)


def functions_in(text, path=""):
    """Every function of a source, in its order."""
    found = []
    read = list(tokens(text))
    # Open braces around the token: what each one opens and the declaration that stands before it.
    open_braces, head, parentheses, at = [], [], 0, 0
    while at < len(read):
        token = read[at]
        at += 1
        if token.text == "{":
            kind, name = kind_of(head)
            if kind == "function":
                end, branches = body(read, at)
                found.append(Function(path, token.line, name, max(0, read[end].line - token.line - 1), branches))
                at = end + 1
                head = head + [Token("{}", token.line, False)] if name == "lambda" else []
            else:
                open_braces.append((kind, head, parentheses))
                head, parentheses = [], 0
        elif token.text == "}":
            kind, head, parentheses = open_braces.pop() if open_braces else ("scope", [], 0)
            head = [] if kind == "scope" else head + [Token("{}", token.line, False)]
        elif token.text == ";" and parentheses == 0 or token.text in ("public", "private", "protected"):
            head = []
        else:
            parentheses += (token.text == "(") - (token.text == ")")
            head.append(token)
    return found


def body(read, at):
    """The place of the brace that closes the body which begins at `at`, and the branches in it."""
    depth, branches = 1, 0
    for place in range(at, len(read)):
        depth += (read[place].text == "{") - (read[place].text == "}")
        if depth == 0:
            return place, branches
        branches += is_branch(read[place])
    return len(read) - 1, branches


def sources(paths):
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix in (".h", ".cpp"))
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, default=[ROOT / "src"])
    parser.add_argument("--lines", type=int, default=60)
    parser.add_argument("--branches", type=int, default=20)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    for path in options.paths:
        if not path.exists():
            parser.error(f"no such file or folder: {path}")
    found = [function for path in sources(options.paths) for function in functions_in(path.read_text(), str(path))]
    large = [function for function in found if function.lines > options.lines or function.branches > options.branches]
    for function in found if options.all else large:
        print(f"{function.path}:{function.line}: {function.name}: {function.lines} lines, {function.branches} branches")
    print(f"{len(found)} functions, {len(large)} with more than {options.lines} lines or {options.branches} branches")
    return 1 if large else 0


if __name__ == "__main__":
    sys.exit(main())
