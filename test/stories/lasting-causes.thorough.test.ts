import { describe, expect, test } from 'vitest';
import { Fleet } from './stage/fleet.ts';
import { OpenShiftFleet } from './stage/openshift.ts';

/** What is written from here on, in a time in which nothing changes. */
async function writtenIn(minutes: number, fleet: Fleet | OpenShiftFleet) {
  const uid = fleet.machine('worker-1')?.metadata.uid;
  if (uid === undefined) throw new Error('nothing holds worker-1');
  const rows = async (): Promise<number> => (await fleet.stored.inner.history(uid)).length;
  const before = await rows();
  fleet.requests.length = 0;
  await fleet.seconds(60 * minutes);
  const count = (verb: string, resource: RegExp): number =>
    fleet.requests.filter((each) => each.verb === verb && resource.test(each.resource) && each.code < 300)
      .length;
  return {
    statuses: count('patch', /^machines\..*\/status$/),
    events: count('create', /^events$/),
    rows: (await rows()) - before,
  };
}

const isCordon = ({ verb, resource }: { verb: string; resource: string }): boolean =>
  verb === 'patch' && resource === 'nodes';

/** Each of them needs a port of its own. */
function resets(): () => string {
  let port = 40_000;
  return () =>
    `failed calling webhook "nodes.example.com": read tcp 10.0.0.5:${port++}: connection reset by peer`;
}

/** No number and no ID: no reader can see that the cause is the same. */
function riddles(): () => string {
  let words = 'no';
  return () => (words += ' no');
}

function cordonFails(fleet: Fleet | OpenShiftFleet, message: () => string): void {
  fleet.fail((request) =>
    isCordon(request) ? { kind: 'answer', code: 500, message: message() } : undefined,
  );
}

const failsByPorts = (fleet: Fleet | OpenShiftFleet): void => cordonFails(fleet, resets());
const failsByRiddles = (fleet: Fleet): void => cordonFails(fleet, riddles());

function aBlockedFleet(instances: number): Fleet {
  const fleet = aFleet(instances);
  fleet.replicas('web', 1, 'node-1');
  fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
  return fleet;
}

const nothingElse = (): void => undefined;
const isDown = (fleet: Fleet): void => void fleet.unreachable('blue');

function aFleet(instances: number): Fleet {
  const fleet = new Fleet({ instances, latencyMilliseconds: 50 }, {});
  fleet.cluster();
  fleet.worker('worker-1');
  return fleet;
}

function anOpenShiftFleet(instances: number): OpenShiftFleet {
  const fleet = new OpenShiftFleet({ instances, latencyMilliseconds: 50 });
  fleet.machineThatRuns('worker-1');
  return fleet;
}

async function written<F extends Fleet | OpenShiftFleet>(
  fleet: F,
  minutes: number,
  fails: (fleet: F) => void,
  seconds = 300,
) {
  try {
    await fleet.seconds(3);
    fleet.begin();
    fails(fleet);
    fleet.delete('worker-1');
    // Until each instance has had a look.
    await fleet.seconds(seconds);
    return await writtenIn(minutes, fleet);
  } finally {
    fleet.end();
  }
}

const nothing = { statuses: 0, events: 0, rows: 0 };

describe('of a cause that lasts nothing is written again', () => {
  test.each([1, 3])(
    'a webhook that is down, with another port each time: %i instances',
    async (instances) => {
      expect(await written(aFleet(instances), 10, failsByPorts)).toEqual(nothing);
    },
  );

  test.each([1, 3])('the same in OpenShift: %i instances', async (instances) => {
    expect(await written(anOpenShiftFleet(instances), 10, failsByPorts)).toEqual(nothing);
  });

  test.each([1, 3])('a Pod whose budget allows nothing: %i instances', async (instances) => {
    // After a quarter of an hour the status reports that it takes long. One instance may do all of that before another
    // has a look.
    expect(await written(aBlockedFleet(instances), 60, nothingElse, 6_000)).toEqual(nothing);
  });

  test.each([1, 3])('a workload cluster that is down: %i instances', async (instances) => {
    expect(await written(aFleet(instances), 30, isDown, 1_000)).toEqual(nothing);
  });

  test.each([1, 3])('a provider that names its request: %i instances', async (instances) => {
    let request = 0;
    const fails = ({ provider }: OpenShiftFleet): void =>
      void provider.answers({
        delete: () => ({
          kind: 'failed',
          reason: 'DeleteError',
          message: `Unavailable, RequestID: ${request++}-ad3f`,
        }),
      });
    expect(await written(anOpenShiftFleet(instances), 10, fails)).toEqual(nothing);
  });
});

test.each([2, 3])(
  'an error that never has the same text keeps %i instances no busier than its attempts',
  async (instances) => {
    const { statuses } = await written(aFleet(instances), 1, failsByRiddles);
    expect(statuses).toBeGreaterThan(0);
    expect(statuses).toBeLessThanOrEqual(2 * 12 * instances);
  },
);
