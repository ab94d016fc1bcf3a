"""A daemon of its own for each test: the built executables, in a folder that goes away again."""

import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BINARIES = pathlib.Path(os.environ.get("STATECAST_BIN", ROOT / ".build" / "debug"))
DATA = pathlib.Path(os.environ.get("STATECAST_DATA", ROOT.parent / "shared" / "data"))
READY_SECONDS = 20


class Daemon:
    """One `statecastd`, which can be killed and started again on the same journal."""

    def __init__(self, mode="journal", options=()):
        # Short, since a socket's path has room for some hundred bytes only.
        self.folder = tempfile.mkdtemp(prefix="statecast-")
        self.log = pathlib.Path(self.folder, "log")
        self.command = [
            str(BINARIES / "statecastd"),
            *("--folder", self.folder, "--mode", mode),
            *("--state-directory", os.path.join(self.folder, "state")),
            *options,
        ]
        self.process = None
        self.start()

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=log)
        ready, _, _ = select.select([self.process.stdout], [], [], READY_SECONDS)
        line = self.process.stdout.readline() if ready else b""
        if not line.startswith(b"ready"):
            self.kill()
            raise AssertionError(f"no ready line:\n{self.log.read_text()}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def signal(self, name):
        self.process.send_signal(getattr(signal, name))

    def statecast(self, *words, timeout=20):
        """What the Swift command line prints."""
        run = subprocess.run(
            [BINARIES / "statecast", "--folder", self.folder, *words],
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        if run.returncode != 0:
            raise AssertionError(f"statecast {' '.join(words)}: {run.stderr}")
        return run.stdout

    def close(self):
        self.kill()
        shutil.rmtree(self.folder)


class DaemonTestCase(unittest.TestCase):
    def daemon(self, *arguments, **options):
        daemon = Daemon(*arguments, **options)
        self.addCleanup(self.end, daemon)
        return daemon

    def end(self, daemon):
        errors = self._outcome.result.errors + self._outcome.result.failures
        if any(test is self for test, _ in errors):
            print(f"the daemon's log:\n{daemon.log.read_text()}")
        daemon.close()

    def needed(self, path):
        """The path of data from elsewhere; without it the test is skipped, in CI it fails."""
        path = pathlib.Path(path)
        if not path.exists():
            if os.environ.get("STATECAST_REQUIRE_DATA") == "1":
                self.fail(f"{path} is required and not there: see STATECAST_DATA")
            print(f"skipped {self.id()}: {path.name} is not there, see STATECAST_DATA")
            self.skipTest(f"no {path.name}")
        return path

    def agrees(self, daemon, mirror):
        """A Swift mirror at this mirror's commit has the same digest."""
        words = [mirror.view]
        if mirror.parameters is not None:
            words.append(f'"{mirror.parameters}"')
        line = daemon.statecast("mirror", *words, "--until", str(mirror.number))
        self.assertTrue(
            line.rstrip().endswith(f"at commit {mirror.number}, digest {mirror.digest:016x}"),
            f"{mirror.number}, {mirror.digest:016x} here; there …{line[-60:]}",
        )
