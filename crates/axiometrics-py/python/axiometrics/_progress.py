"""A progress bar for notebooks and terminals, without dependencies."""

from __future__ import annotations

import sys
import time


class Bar:
    """Shows how much is done, on standard error, which notebooks show as it changes."""

    WIDTH = 30

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._last = 0.0
        self._shown = False

    def __call__(self, share: float | None) -> None:
        now = time.monotonic()
        if now - self._last < 0.1:
            return
        self._last = now
        done = round((share or 0.0) * self.WIDTH)
        # Work of unknown size shows how long it has taken.
        text = f"{share:4.0%}" if share is not None else f"{now - self._begun:3.0f} s"
        sys.stderr.write(f"\r|{'█' * done}{' ' * (self.WIDTH - done)}| {text}")
        sys.stderr.flush()
        self._shown = True

    def __del__(self) -> None:
        if self._shown and sys.stderr is not None:
            sys.stderr.write("\r" + " " * (self.WIDTH + 10) + "\r")
