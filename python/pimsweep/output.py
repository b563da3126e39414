"""Files that commands write: whole or not at all, and in place of nothing else."""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Iterable, Iterator

Path = str | os.PathLike[str]
# In every page and figure, as its generator.
MARK = b"pimsweep"


class OutputRefused(ValueError):
    """A file that an output would replace, and must not."""


def _require_writable(path: pathlib.Path, mark: bytes, inputs: Iterable[Path], force: bool) -> None:
    if path.is_dir():
        raise OutputRefused(f"cannot write '{path}': it is a folder")
    if path.parent.suffix == ".journal":
        raise OutputRefused(f"cannot write '{path}': it is in a folder of journals")
    if not path.exists():
        return
    if any(pathlib.Path(name).exists() and path.samefile(name) for name in inputs):
        raise OutputRefused(f"cannot write '{path}': this command reads it")
    if not force and path.stat().st_size > 0 and mark not in path.read_bytes():
        raise OutputRefused(f"'{path}' exists and is not what this command writes there: --force replaces it")


@contextlib.contextmanager
def written(path: Path, inputs: Iterable[Path] = (), mark: bytes = MARK, force: bool = False) -> Iterator[pathlib.Path]:
    """A file to write, which takes the place of `path` when the block ends, or of nothing after an exception.

    inputs: files that are never replaced. mark: bytes in every file of this kind; a file without them is replaced only
    with `force`. Pipes, devices and /dev/stdout are written directly.

    OutputRefused: there is something that must not be replaced. OSError: the file cannot be written.
    """
    inputs = list(inputs)
    target = pathlib.Path(path)
    if str(target).startswith(("/dev/", "/proc/")) or (target.exists() and not target.is_file() and not target.is_dir()):
        yield target
        return
    target = target.resolve()
    _require_writable(target, mark, inputs, force)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        _require_writable(target, mark, inputs, force)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
