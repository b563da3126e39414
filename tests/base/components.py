"""Components of src: a header with its source, the circles that they form, and the floors that they stand on.

Usage: components.py SRC_DIR prints a table of all libraries. check_includes.py enforces the limits.

A component of a library stands one floor above the highest one that it includes; components of a circle share a floor.
Floors are counted folder by folder, circles library by library: a folder that has a CMakeLists.txt.
"""

import pathlib
import re
import sys

MAX_FLOORS = 12
MAX_HEADER_LINES = 600

QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def component_of(path):
    return pathlib.PurePosixPath(path).with_suffix("").as_posix()


def folder_of(component):
    return pathlib.PurePosixPath(component).parent.as_posix()


class Tree:
    """The components below a folder and what each includes."""

    def __init__(self, src):
        self.files = {path.relative_to(src).as_posix(): path.read_text() for path in sorted(src.rglob("*"))
                      if path.suffix in {".h", ".cpp"}}
        self.libraries = {path.parent.relative_to(src).as_posix() for path in src.rglob("CMakeLists.txt")} - {"."}
        self.edges = {component_of(path): set() for path in self.files}
        for path, text in self.files.items():
            component = component_of(path)
            targets = {component_of(target) for target in QUOTED.findall(text)}
            self.edges[component] |= targets & self.edges.keys() - {component}

    def library_of(self, component):
        """The innermost library; "." for what is in none."""
        return next((parent.as_posix() for parent in pathlib.PurePosixPath(component).parents
                     if parent.as_posix() in self.libraries), ".")

    def by_library(self):
        return self.grouped(self.library_of)

    def by_folder(self):
        return self.grouped(folder_of)

    def grouped(self, owner):
        groups = {}
        for component in self.edges:
            groups.setdefault(owner(component), set()).add(component)
        return groups


def strong_components(nodes, edges):
    """The strongly connected components of some nodes, each after all that it can reach (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for target in sorted(edges[node] & nodes):
            if target not in number:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], number[target])
        if low[node] == number[node]:
            start = stack.index(node)
            found.append(sorted(stack[start:]))
            del stack[start:]

    for node in sorted(nodes):
        if node not in number:
            visit(node)
    return found


def circles(nodes, edges):
    return [group for group in strong_components(nodes, edges) if len(group) > 1]


def floors(nodes, edges):
    floor = {}
    for group in strong_components(nodes, edges):
        below = {target for node in group for target in edges[node] & nodes} - set(group)
        floor.update(dict.fromkeys(group, 1 + max((floor[target] for target in below), default=0)))
    return max(floor.values(), default=0)


def problems_of(tree):
    """Each circle of components, each folder with too many floors, and each long header."""
    problems = [f"{group[0]}: circle of components: {', '.join(group)}"
                for nodes in tree.by_library().values() for group in circles(nodes, tree.edges)]
    problems += [f"{folder}: {count} floors, at most {MAX_FLOORS} allowed" for folder, nodes in tree.by_folder().items()
                 if (count := floors(nodes, tree.edges)) > MAX_FLOORS]
    problems += [f"{path}: header of more than {MAX_HEADER_LINES} lines" for path, text in sorted(tree.files.items())
                 if path.endswith(".h") and text.count("\n") > MAX_HEADER_LINES]
    return problems


def is_code(line):
    line = line.strip()
    return bool(line) and not line.startswith(("//", "#include", "#pragma", "namespace ", "}  // namespace"))


def print_table(tree):
    """Size, components, floors, circles, and headers with a single user besides their own source, by library."""
    users = dict.fromkeys(tree.edges, 0)
    for targets in tree.edges.values():
        for target in targets:
            users[target] += 1
    print(f"{'library':30}{'files':>7}{'lines':>8}{'code':>8}{'components':>12}{'floors':>8}{'circles':>9}{'one user':>10}")
    for library, nodes in sorted(tree.by_library().items()):
        texts = [text for path, text in tree.files.items() if component_of(path) in nodes]
        single = [path for path in tree.files if path.endswith(".h") and component_of(path) in nodes
                  and users[component_of(path)] == 1]
        print(f"{library:30}{len(texts):7}{sum(text.count(chr(10)) for text in texts):8}"
              f"{sum(is_code(line) for text in texts for line in text.splitlines()):8}{len(nodes):12}"
              f"{floors(nodes, tree.edges):8}{len(circles(nodes, tree.edges)):9}{len(single):10}")


if __name__ == "__main__":
    print_table(Tree(pathlib.Path(sys.argv[1])))
