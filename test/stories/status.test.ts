import { describe, expect, it } from 'vitest';
import { recordAt } from '../../shared/dialects/fields.ts';
import { recording } from '../shared/dialects/capi/golden.ts';
import type { Fleet } from './stage/fleet.ts';
import { play, type Story } from './stage/story.ts';

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

/** The Machine's status in the middle of the story, in words that are the same for every name and time. */
async function statusIn(told: Omit<Story, 'plot'>, seconds: number): Promise<unknown> {
  let status: unknown;
  await play(
    {
      ...told,
      async plot(fleet) {
        fleet.delete('worker-1');
        await fleet.seconds(seconds);
        status = recordAt(fleet.machine('worker-1'), 'status');
      },
    },
    {},
  );
  return comparable(status, { machine: 'worker-1', node: 'node-1' });
}

const recordedStatus = (name: string): unknown => {
  const { metadata, status } = recording(name).machine;
  return comparable(status, { machine: metadata.name, node: metadata.name });
};

/** Without times, which two clocks tell differently, and with the same names. */
function comparable(status: unknown, { machine, node }: { machine: string; node: string }): unknown {
  // The recorded API has no start times of hooks, and no group for them where there are no others.
  const text = JSON.stringify(status)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<time>')
    .replaceAll(/,?"waitForPre(Drain|Terminate)HookStartTime":"<time>"/g, '')
    .replace('"deletion":{},', '')
    .replaceAll(machine, '<name>')
    .replaceAll(node, '<name>');
  return JSON.parse(text);
}

const stays = {
  annotations: { 'local.phaseout.dev/never-stops': 'true' },
  finalizers: ['machine.infrastructure.local.phaseout.dev'],
};

const aWorkerWith =
  (parts: { infrastructure?: object; bootstrap?: object }) =>
  (fleet: Fleet): void => {
    fleet.cluster();
    fleet.worker('worker-1', parts);
  };

const aWorker =
  (annotations: Record<string, string>) =>
  (fleet: Fleet): void => {
    fleet.cluster();
    fleet.worker('worker-1', { metadata: { annotations } });
  };

function aWorkerWithStuckPod(fleet: Fleet): void {
  fleet.cluster();
  fleet.worker('worker-1', { status: { nodeRef: null } });
  fleet.pod('stuck', 'node-1', { neverStops: true });
}

describe('a Machine looks as Cluster API leaves it', () => {
  it('while pre-drain hooks are waited for', async () => {
    const recorded = recording('10-pre-drain-hook').machine.metadata['annotations'];
    const hooks = Object.keys(recorded ?? {}).filter((key) => key.startsWith(preDrain));
    const scene = aWorker(Object.fromEntries(hooks.map((hook) => [hook, ''])));
    expect(await statusIn({ scene }, 30)).toStrictEqual(recordedStatus('10-pre-drain-hook'));
  });

  it('while a pre-terminate hook is waited for', async () => {
    const recorded = recording('40-pre-terminate-hook').machine.metadata['annotations'];
    const hooks = Object.keys(recorded ?? {}).filter((key) => key.startsWith(preTerminate));
    const scene = aWorker(Object.fromEntries(hooks.map((hook) => [hook, ''])));
    expect(await statusIn({ scene }, 30)).toStrictEqual(recordedStatus('40-pre-terminate-hook'));
  });

  it('while the infrastructure is waited for', async () => {
    const status = await statusIn({ scene: aWorkerWith({ infrastructure: stays }) }, 30);
    expect(status).toStrictEqual(recordedStatus('50-waiting-for-infrastructure'));
  });

  it('while the bootstrap config is waited for', async () => {
    const status = await statusIn({ scene: aWorkerWith({ bootstrap: stays }) }, 30);
    expect(status).toStrictEqual(recordedStatus('51-waiting-for-bootstrap'));
  });

  it('when it is excluded from the drain', async () => {
    const scene = aWorker({
      'machine.cluster.x-k8s.io/exclude-node-draining': '',
      'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
      [`${preTerminate}/x`]: '',
    });
    expect(await statusIn({ scene }, 30)).toStrictEqual(recordedStatus('29-drain-excluded'));
  });
});

it('a Node that was found by its providerID is filled in', async () => {
  const status = await statusIn({ scene: aWorkerWithStuckPod }, 30);
  expect(status).toMatchObject({ nodeRef: { name: '<name>' } });
});
