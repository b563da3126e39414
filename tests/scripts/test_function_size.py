"""scripts/function_size.py: which functions a source has, their lines and branches, and what is none."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "scripts" / "function_size.py"
sys.path.insert(0, str(ROOT / "scripts"))
from function_size import functions_in


def sizes(text):
    return [(function.name, function.lines, function.branches) for function in functions_in(text)]


class Functions(unittest.TestCase):
    def test_kinds_of_functions(self):
        self.assertEqual([("free", 0, 0)], sizes("int free(int a, std::vector<int> b = {1, 2}) { return a; }"))
        self.assertEqual([("Class::member", 1, 0)],
                         sizes("auto Class::member() const noexcept -> std::map<int, int> {\n\n}"))
        self.assertEqual([("operator()", 0, 0), ("operator==", 0, 0), ("operator<", 0, 0), ("operator bool", 0, 0)],
                         [(name.replace("operatorbool", "operator bool"), *rest) for name, *rest in sizes(
                             "struct S { bool operator()(int) { return 1; } bool operator==(S) const { return 1; }\n"
                             "bool operator<(S) const { return 1; } explicit operator bool() const { return 1; } };")])
        self.assertEqual([("~S", 0, 0)], sizes("class S { public: ~S() { close(); } };"))
        self.assertEqual([("f", 0, 0)], sizes("template <typename T> requires (Integral<T>) T f(T a) { return a; }"))
        self.assertEqual([("f", 0, 0)], sizes("struct Result f(struct Input input) { return {}; }"))

    def test_constructors(self):
        self.assertEqual([("S::S", 1, 1)], sizes("S::S(int a)\n  : a_{a}, b_(int{a} * 2), c_{} {\n  if (a) b();\n}"))
        self.assertEqual([("Child::Child", 0, 1), ("after", 0, 0)],
                         sizes("Child::Child() : Base<int>{1} { while (a) {} }\nvoid after() {}"))

    def test_what_is_no_function(self):
        self.assertEqual([], sizes("constexpr int a[] = {1, 2};\nenum class E : int { one, two };\nint b{3};"))
        self.assertEqual([], sizes("struct S { int c{f(4)}; };"))
        self.assertEqual([], sizes("#define MACRO(x) if (x) { f(); }\n#define LONG \\\n  while (1) { g(); }\n"))
        self.assertEqual([], sizes("/* void f() { } */ // void g() { }\nint declared(int);"))
        self.assertEqual([], sizes("std::function<void(int)> callback{nullptr};"))

    def test_lambdas(self):
        self.assertEqual([("outer", 1, 1)], sizes("void outer() {\n  run([&](int a) { if (a) b(); });\n}"))
        self.assertEqual([("lambda", 0, 1), ("lambda", 1, 0)],
                         sizes("constexpr std::array rows{Row{[](int a) { return a ? 1 : 2; }}, Row{[] {\n\n}}};"))

    def test_scopes(self):
        text = """namespace a::b {
                  extern "C" { void f() {} }
                  namespace { class S : public T<int> { void g() {} }; }
                  }
                  void h() {}"""
        self.assertEqual(["f", "g", "h"], [name for name, _, _ in sizes(text)])

    def test_branches(self):
        text = """void f(int&& a, T&& b) {
          if (a && b || c) { } else if (d) { }
          for (auto&& x : y) { do { } while (x ? 1 : 2); }
          switch (a) { case 1: break; case 2: default: break; }
          try { } catch (...) { }
          // if (x && y)
          const char* text = "if (a && b) { ? ";  const char brace = '{';
          const auto raw = R"x(while } ")x"; const int million = 1'000'000;
        }"""
        # Two if, &&, ||, for, while, ?, two case and catch.
        self.assertEqual([("f", 7, 10)], sizes(text))

    def test_lines(self):
        function, second = functions_in("\nvoid f()\n{\n  a();\n\n}\nvoid g() {}", "file.cpp")
        self.assertEqual(("file.cpp", 3, 2), (function.path, function.line, function.lines))
        self.assertEqual(7, second.line)


class Command(unittest.TestCase):
    def run_on(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.cpp").write_text(text)
            done = subprocess.run(["/usr/bin/python3", PROGRAM, folder, *options], capture_output=True, text=True)
            return done.returncode, done.stdout.replace(folder, "FOLDER")

    def test_limits(self):
        body = "\n" * 61
        self.assertEqual((0, "1 functions, 0 with more than 60 lines or 20 branches\n"),
                         self.run_on(f"void f() {{{body}}}"))
        status, told = self.run_on(f"void f() {{{body}\n}}")
        self.assertEqual(1, status)
        self.assertIn("FOLDER/a.cpp:1: f: 61 lines, 0 branches\n", told)
        self.assertEqual(0, self.run_on("void f() {" + "if (a) b();" * 20 + "}")[0])
        self.assertEqual(1, self.run_on("void f() {" + "if (a) b();" * 21 + "}")[0])
        self.assertEqual(1, self.run_on("void f() {\n\n}", "--lines", "0")[0])


if __name__ == "__main__":
    unittest.main()
