import { describe, expect, test } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aDrainPolicy } from '../../builders/drain-policy.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { anOutside } from './outside.ts';

// What plan, explain and status tell of the DrainPolicies of a Machine.

const inFleet = (spec: object = {}, begun?: object[]): KubeObject => {
  const policy = aDrainPolicy('workers', spec, begun);
  return { ...policy, metadata: { ...policy.metadata, namespace: 'fleet' } };
};

const living = aMachine('a');
const checkpoint = JSON.stringify({
  v: 1,
  uid: living.metadata.uid,
  seq: 1,
  phase: 'pre-drain',
  since: '2026-11-27T09:20:00.000Z',
  passed: {},
});
const message = 'Waiting for DrainPolicy workers: at most 1 at once; begun: b';
const lastTransitionTime = '2026-11-27T09:20:00Z';
const shown = (reason: string, text: string): object => ({
  conditions: [{ type: 'phaseout.dev/Draining', status: 'True', reason, message: text, lastTransitionTime }],
});
const waitingFor = (text: string): KubeObject => ({
  ...aMachine('a', {
    metadata: {
      deletionTimestamp: '2026-11-27T09:20:00Z',
      annotations: {
        'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout': 'phaseout.dev',
        'phaseout.dev/checkpoint': checkpoint,
      },
    },
  }),
  status: shown('WaitingForDrainPolicy', text),
});
const policy = inFleet({}, [{ uid: 'machine-b', name: 'b', since: '2026-11-27T09:00:00Z' }]);
const begun = aMachine('b', { metadata: { deletionTimestamp: '2026-11-27T09:00:00Z' } });
const never = { windows: [{ schedule: '0 0 30 2 *', timeZone: 'UTC', duration: '1h' }], windowsFor: 'All' };
const neverText = 'Waiting for DrainPolicy workers: none of its windows opens within 366 days';

async function told(command: string, ...objects: KubeObject[]): Promise<string[]> {
  const { outside, written, folder } = await anOutside();
  const dump = await aDump(folder, [anAwsMachine('a'), aNode('a'), ...objects]);
  await main([command, ...(command === 'status' ? [] : ['fleet/a']), '--load', dump], outside);
  return written.stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' '));
}

const rowOf = async (machine: KubeObject): Promise<string | undefined> =>
  (await told('status', machine)).find((line) => line.includes('fleet/a'));

describe('plan', () => {
  test('says what a deletion would wait for', async () => {
    expect(await told('plan', living, begun, policy)).toContain(`pre-drain blocks ${message}`);
  });

  test('says nothing of a policy that is for other Machines', async () => {
    const others = inFleet({ machines: [{ selector: { matchLabels: { pool: 'gpu' } } }] });
    expect((await told('plan', living, begun, others)).join()).not.toContain('DrainPolicy');
  });
});

describe('explain', () => {
  test('says what holds a Machine, that this ends, and where to look', async () => {
    const lines = await told('explain', waitingFor(message), begun, policy);
    expect(lines).toContain('Machine fleet/a is progressing');
    expect(lines).toContain(message);
    expect(lines).toContain('look kubectl get drainpolicies.phaseout.dev -n fleet -o yaml');
  });

  test('says what would hold a living one', async () => {
    const lines = await told('explain', living, begun, policy);
    expect(lines.slice(1, 3)).toEqual(['What would hold it', message]);
  });

  test('says that a policy which never opens has to be corrected', async () => {
    const lines = await told('explain', waitingFor(neverText), inFleet(never));
    expect(lines).toContain(neverText);
    expect(lines).toContain('no: somebody has to correct the DrainPolicy');
  });
});

describe('status', () => {
  test('does not call a Machine late that waits in the line', async () => {
    expect(await rowOf(waitingFor(message))).toMatch(
      /^progressing fleet\/a pre-drain WaitingForDrainPolicy: Waiting for .* DrainPolicy workers/,
    );
  });

  test('calls one held whose policy needs somebody', async () => {
    expect(await rowOf(waitingFor(neverText))).toMatch(/^held fleet\/a pre-drain WaitingForDrainPolicy/);
  });
});
