"""What my-hook does for a Machine. Write your own work here."""

import os
import time

# When the example began, by the UID of the Machine. It is forgotten when the process ends.
begun = {}


def work(call):
    """Begins the work for this Machine, or looks how far it is.

    It is called until it says Done, and a call may come twice. The process may have been restarted since the last
    call. So ask the real system each time, and say Done only when that system says so.

    `call` has hook, place, machine, begins and attempt. It may have node, cluster, deadline and lastMessage.
    The answer has state, which is Done, Working or Failed. It may have message, at most 1024 bytes. It may have
    retryAfter: the next call comes no sooner than after so many whole seconds, from 1 to 3600.
    """
    # The example moves nothing. In a cluster it must not let a server go.
    if "KUBERNETES_SERVICE_HOST" in os.environ:
        return {"state": "Failed", "message": "my-hook has no work yet: write it in work.py", "retryAfter": 60}

    since = begun.setdefault(call["machine"]["uid"], time.monotonic())
    seconds = int(time.monotonic() - since)
    if seconds < 2:
        return {"state": "Working", "message": f"example: {seconds} of 2 s are over", "retryAfter": 1}
    return {"state": "Done", "message": "example: nothing was moved"}
