"""Answers calls of phaseout: CloudEvents over HTTP in binary mode."""

import json
import traceback
import uuid
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from threading import Lock

from work import work

# The Trigger gives up after 30 s.
PATIENCE_SECONDS = 20

workers = ThreadPoolExecutor(max_workers=32)
# What runs just now, by the token of its turn: a call that comes twice does not begin it twice.
running = {}
lock = Lock()


def reply(headers, body):
    """The status, headers and body that answer a request. `headers` has lower-case names."""
    call = call_in(headers, body)
    token = headers.get("ce-answerto")
    if call is None or token is None:
        return 400, {}, "not a call"
    return (
        200,
        {
            "ce-specversion": "1.0",
            "ce-type": "dev.phaseout.hook.answer.v1",
            "ce-source": "/my-hook",
            "ce-id": str(uuid.uuid4()),
            # Without the token of the call no answer counts.
            "ce-answerto": token,
            "content-type": "application/json",
        },
        json.dumps(answer_to(call, token)),
    )


def call_in(headers, body):
    """None where the message is something else: an answer to it could let a wrong Machine pass."""
    if headers.get("ce-type") != "dev.phaseout.hook.call.v1":
        return None
    try:
        call = json.loads(body)
        return call if isinstance(call["machine"]["uid"], str) else None
    except (ValueError, TypeError, KeyError):
        return None


def answer_to(call, token):
    """Where the work takes longer than a call may, the next call gets its answer."""
    with lock:
        one = running.get(token) or running.setdefault(token, workers.submit(begin, call))
    try:
        answer = one.result(PATIENCE_SECONDS)
    except TimeoutError:
        return {"state": "Working", "message": "still at work"}
    with lock:
        running.pop(token, None)
    return answer


def begin(call):
    """An error holds the Machine, and its text is shown there."""
    try:
        return work(call)
    except Exception as error:
        traceback.print_exc()
        return {"state": "Failed", "message": repr(error)[:300]}
