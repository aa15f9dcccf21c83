"""pytrec_eval in processes of its own, one for each question.

It reads memory that it never wrote, so that what it does may depend on what else the process has
done: it then hangs or ends the interpreter. Here each question is put to a fresh copy of a process
that has done nothing else.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

PATIENCE = 20


class Apart:
    """Asks a process for what pytrec_eval says; ``None`` if it says nothing in time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def evaluate(self, qrels, run, measures, level=1, judged=False):
        pickle.dump((qrels, run, measures, level, judged), self._process.stdin)
        self._process.stdin.flush()
        return pickle.load(self._process.stdout)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def _answers() -> None:
    import signal

    import pytrec_eval

    while True:
        try:
            question = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(PATIENCE)
            qrels, run, measures, level, judged = question
            found = pytrec_eval.RelevanceEvaluator(qrels, measures, level, judged).evaluate(run)
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(found, pipe)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            answer = pipe.read()
        _, status = os.waitpid(child, 0)
        sys.stdout.buffer.write(answer if status == 0 else pickle.dumps(None))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _answers()
