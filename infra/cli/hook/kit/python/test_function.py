import json
import unittest

from function import reply

MACHINE = {
    "apiVersion": "cluster.x-k8s.io/v1beta2",
    "kind": "Machine",
    "namespace": "my-namespace",
    "name": "worker-1",
    "uid": "a-uid",
    "labels": {},
}
CALL = json.dumps(
    {
        "hook": "my-namespace/my-hook",
        "place": "PreDrain",
        "machine": MACHINE,
        "begins": "2026-01-01T00:00:00Z",
        "attempt": 1,
    }
)
HEADERS = {"ce-type": "dev.phaseout.hook.call.v1", "ce-answerto": "a-token"}


class AFunction(unittest.TestCase):
    def test_answers_a_call_with_its_own_token_and_the_work_goes_on(self):
        _, headers, body = reply(HEADERS, CALL)
        self.assertEqual(headers["ce-answerto"], "a-token")
        self.assertEqual(json.loads(body)["state"], "Working")

    def test_answers_a_call_twice_that_comes_twice(self):
        self.assertEqual([reply(HEADERS, CALL)[0] for _ in range(2)], [200, 200])

    def test_answers_nothing_else(self):
        others = [({}, CALL), (HEADERS, "{}"), (HEADERS, "")]
        self.assertEqual([reply(*other)[0] for other in others], [400, 400, 400])


if __name__ == "__main__":
    unittest.main()
