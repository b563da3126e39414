// Reads every file of the corpus, whole and in damaged variants: replay CORPUS_FOLDER VARIANTS [TARGET ...]

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/posix_file.h"
#include "targets.h"

namespace {

using namespace pimsweep;
using namespace pimsweep::fuzz;

/// Changes, removes or repeats bytes, cuts them off or adds random ones.
void damage(std::string& bytes, std::mt19937& random) {
  const std::size_t at = random() % bytes.size();
  switch (random() % 6) {
    case 0:
      bytes[at] = static_cast<char>(random());
      break;
    case 1:
      bytes.erase(at, 1 + random() % 8);
      break;
    case 2:
      bytes.insert(at, bytes.substr(at, 1 + random() % 16));
      break;
    case 3:
      for (int i = 0; i < 6; ++i) bytes.insert(at, 1, static_cast<char>(random()));
      break;
    case 4:
      bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 32));
      break;
    default:
      bytes.resize(at);
  }
}

/// A file of the corpus with up to four damages.
std::string damaged(std::string bytes, std::mt19937& random) {
  for (auto count = 1 + random() % 4; count > 0 && !bytes.empty(); --count) damage(bytes, random);
  return bytes;
}

std::size_t replay(const Target& target, const std::string& folder, int variants) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path().string());
  std::ranges::sort(files);
  std::mt19937 random(1);
  for (const std::string& file : files) {
    const std::string bytes = read_file(file);
    target.read(bytes);
    for (int i = 0; i < variants; ++i) target.read(damaged(bytes, random));
  }
  return files.size();
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 2) return 2;
  for (const Target& target : targets()) {
    if (words.size() > 2 && std::ranges::find(words, target.name) == words.end()) continue;
    const std::size_t files = replay(target, words.front() + "/" + std::string(target.name), std::stoi(words[1]));
    fmt::print("{}: {} files\n", target.name, files);
    if (files == 0) return 1;
  }
  return 0;
}
