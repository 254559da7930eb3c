"""Cases in a child process, which may die of one."""

import json
import os
import select
import signal
import traceback
from collections.abc import Callable, Iterator
from typing import Any


def in_child(
    first: int, end: int, case: Callable[[int], Any], patience: float
) -> Iterator[tuple[Any, str]]:
    """What each case returns, as JSON has it, up to the one that the child does not survive: of that how
    it ended, "hang" or "crash" first. patience: seconds that a case may take."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            with os.fdopen(writing, "w", encoding="ascii") as pipe:
                for number in range(first, end):
                    print(json.dumps(case(number)), file=pipe, flush=True)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            rest = b""
            for _ in range(first, end):
                while b"\n" not in rest:
                    if not select.select([pipe], [], [], patience)[0]:
                        yield None, f"hang of {patience:.0f} s"
                        return
                    data = pipe.read(2**16)
                    if not data:
                        _, status = os.waitpid(child, 0)
                        child = 0
                        yield None, f"crash with exit code {os.waitstatus_to_exitcode(status)}"
                        return
                    rest += data
                line, _, rest = rest.partition(b"\n")
                yield json.loads(line), ""
    finally:
        if child:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
