import { expect, test } from 'vitest';
import { Fleet } from './stage/fleet.ts';

/** The requests within a minute of waiting for a Pod, where the API answers each watch with this status. */
async function requestsInAMinute(status: number | undefined): Promise<number> {
  const fleet = new Fleet({ latencyMilliseconds: 20 }, {});
  fleet.cluster();
  fleet.worker('worker-1');
  fleet.pod('slow', 'node-1', { neverStops: true });
  await fleet.seconds(3);
  fleet.begin();
  if (status !== undefined) refuseWatches(fleet, status);
  fleet.delete('worker-1');
  await fleet.seconds(5);
  const before = fleet.requests.length;
  await fleet.seconds(60);
  fleet.end();
  return fleet.requests.length - before;
}

function refuseWatches({ server }: Fleet, status: number): void {
  const respond = server.respond.bind(server);
  const body = JSON.stringify({ kind: 'Status', code: status });
  server.respond = (request) =>
    request.query?.['watch'] === 'true' ? { status, headers: {}, body } : respond(request);
}

test.each([
  ['opened', undefined],
  ['refused', 403],
  ['failing', 500],
  ['of a version that was forgotten as soon as it was read', 410],
])('a drain that waits asks for little where watches are %s', async (_what, status) => {
  expect(await requestsInAMinute(status)).toBeLessThan(60);
});
