import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { conditionsFrom } from '../../../../../shared/dialects/conditions.ts';
import { recordAt, textAt } from '../../../../../shared/dialects/fields.ts';
import { BesideOpenShiftFleet } from '../../../../stories/stage/beside/openshift-fleet.ts';
import type { OpenShiftMachineParts } from '../../../../stories/stage/openshift.ts';

/** A recording of OpenShift's two controllers: the Machine, and its Events. */
const [recorded, events] = parseAllDocuments(
  readFileSync(new URL('../../../../golden/beside/A0-openshift-held.yaml', import.meta.url), 'utf8'),
)
  .map((document): unknown => document.toJSON())
  .filter((each) => each !== null);

const hook = { name: 'PhaseoutDrain', owner: 'phaseout.dev' };
const excluded = { 'machine.openshift.io/exclude-node-draining': '' };
const preTerminate = [{ name: 'BackupFileSystem', owner: 'backup-controller' }];

let fleet: BesideOpenShiftFleet;
afterEach(() => fleet.end());

/** One Machine on its Node, and the peer alone. */
function alone(parts: OpenShiftMachineParts = {}): void {
  fleet = new BesideOpenShiftFleet({}, {});
  fleet.machineThatRuns('worker-1', parts);
  fleet.startPeer();
}

const untimed = (machine: unknown) =>
  conditionsFrom(recordAt(machine, 'status')['conditions']).map((condition) => ({
    ...condition,
    lastTransitionTime: '',
  }));

const told = () =>
  fleet.server.cluster
    .list('events')
    .map((each) =>
      [textAt(each, 'source', 'component'), textAt(each, 'reason'), textAt(each, 'message')].join(' '),
    );

const isDrained = (): boolean =>
  untimed(fleet.machine('worker-1')).some(({ type, status }) => type === 'Drained' && status === 'True');

it('a hook holds a Machine as in the recording', async () => {
  alone({ preDrain: [hook] });
  fleet.delete('worker-1');
  await fleet.seconds(60);
  expect(untimed(fleet.machine('worker-1'))).toEqual(untimed(recorded));
  expect(recordAt(fleet.machine('worker-1'), 'status')['phase']).toBe('Deleting');
  const [event] = z.object({ items: z.array(z.unknown()) }).parse(events).items;
  expect(told()).toEqual([
    [textAt(event, 'reportingController'), textAt(event, 'reason'), textAt(event, 'note')].join(' '),
  ]);
});

it('asks no hook before the drain once Drained is true, of whatever origin', async () => {
  alone({ preDrain: [hook] });
  fleet.delete('worker-1');
  await fleet.seconds(5);
  const conditions = [{ type: 'Drained', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  fleet.server.cluster.patch(
    'machines.machine.openshift.io',
    fleet.machine('worker-1')!,
    { status: { conditions } },
    'status',
  );
  await fleet.gone('worker-1');
  expect(fleet.server.cluster.list('nodes')).toEqual([]);
});

it.each([
  ['an exclusion', { metadata: { annotations: excluded } }],
  ['a Machine without a Node', { node: null, status: { nodeRef: null } }],
])('passes all hooks over for %s', async (_what, parts) => {
  alone({ ...parts, preDrain: [hook] });
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
  expect(told()).toEqual(['machine-drain-controller DrainSkipped Node drain skipped']);
});

it('waits for hooks before the end of the server', async () => {
  alone({ preTerminate });
  fleet.delete('worker-1');
  await fleet.seconds(60);
  expect(isDrained()).toBe(true);
  fleet.setHooks('worker-1', 'preTerminate', []);
  await fleet.gone('worker-1');
});

it('gives an attempt to drain 20 seconds, and repeats it later and later', async () => {
  alone();
  fleet.pod('stuck', 'node-1', { neverStops: true });
  fleet.delete('worker-1');
  await fleet.seconds(120);
  expect(isDrained()).toBe(false);
  expect(told()).toEqual([
    'machine-drain-controller DrainProceeds Node drain proceeds',
    'machine-drain-controller DrainRequeued Node drain requeued: error when evicting pods/"stuck" -n "shop": global timeout reached: 20s',
  ]);
});

it('evicts Pods that labels let stay', async () => {
  alone();
  fleet.pod('agent', 'node-1', { labels: { 'cluster.x-k8s.io/drain': 'skip' } });
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
  expect(fleet.server.cluster.list('pods')).toEqual([]);
});

it('leaves a Machine alone that Cluster API rules, and one that lacks its label', async () => {
  alone({ status: { authoritativeAPI: 'ClusterAPI' } });
  fleet.machineThatRuns('worker-2', { metadata: { labels: { a: 'b' } } });
  fleet.delete('worker-1');
  fleet.delete('worker-2');
  await fleet.seconds(120);
  for (const name of ['worker-1', 'worker-2'])
    expect(recordAt(fleet.machine(name), 'status')['phase']).toBe('Running');
});

it('cordons one Node of the control plane at a time', async () => {
  fleet = new BesideOpenShiftFleet({}, {});
  fleet.controlPlane();
  for (const number of [1, 2]) fleet.pod(`api-${number}`, `master-${number}`, { stopSeconds: 15 });
  fleet.startPeer();
  fleet.delete('master-1');
  fleet.delete('master-2');
  await fleet.seconds(5);
  const cordoned = fleet.server.cluster
    .list('nodes')
    .filter((node) => recordAt(node, 'spec')['unschedulable'] === true);
  expect(cordoned.map(({ metadata }) => metadata.name)).toEqual(['master-1']);
  await fleet.gone('master-1');
  await fleet.gone('master-2');
});
