"""Runs two commands alternately on the same work: whatever else the machine does slows both alike."""

import dataclasses

import machine


@dataclasses.dataclass(frozen=True, eq=False)
class Command:
    """A program with its arguments, the folder it runs in, its environment (None: this process's), and the exit status
    that means success."""

    arguments: list
    folder: str
    environment: dict | None = None
    success: int = 0

    def run(self):
        """Wall seconds and what it printed on both outputs. Raises RuntimeError, with its last words, if it fails or cannot be run."""
        seconds, done = machine.timed(self.arguments, self.folder, self.environment, (self.success,))
        return seconds, done.stdout + done.stderr


@dataclasses.dataclass(frozen=True, eq=False)
class Sequence:
    """Commands in sequence, as one piece of work."""

    commands: list

    def run(self):
        """Their total wall seconds, and the output of each."""
        done = [command.run() for command in self.commands]
        return sum(seconds for seconds, _ in done), [printed for _, printed in done]


def alternately(peer, own, runs):
    """Wall seconds of `runs` runs of each command, the first run of each not counted."""
    times = {peer: [], own: []}
    for number in range(runs + 1):
        for command in (peer, own) if number % 2 else (own, peer):
            seconds, _ = command.run()
            if number:
                times[command].append(seconds)
    return times[peer], times[own]


def spread(times):
    """'1.23 (1.20 to 1.41)': median, minimum and maximum; of one time, itself."""
    return machine.show(machine.spread(times))


def ratio(peer, own):
    """How many times longer the peer takes: the median of the ratios of neighbors in time, minimum and maximum."""
    return spread([one / other for one, other in zip(peer, own)])
