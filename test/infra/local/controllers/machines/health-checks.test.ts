import { afterEach, describe, expect, it } from 'vitest';
import {
  type HealthCheck,
  healthOf,
  type Target,
  unhealthyLimit,
} from '../../../../../infra/local/controllers/machines/health.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../../infra/local/kubernetes/server/json.ts';
import type { Platform } from '../platform.ts';
import { aFleet, aLoadedNode, anOpenShiftMachine, anOpenShiftSet } from './fleet.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString().replace('.000', '');

const aCheck = (spec: HealthCheck['spec'] = {}, annotations: Record<string, string> = {}): HealthCheck => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'MachineHealthCheck',
  metadata: { name: 'check', namespace: 'default', uid: 'uid-check', annotations },
  spec: {
    selector: { matchLabels: { role: 'worker' } },
    unhealthyConditions: [
      { type: 'Ready', status: 'Unknown', timeout: '10s' },
      { type: 'Ready', status: 'False', timeout: '1m' },
    ],
    maxUnhealthy: '100%',
    nodeStartupTimeout: '30s',
    ...spec,
  },
});

const aNode = (status: string, since = 0) => aLoadedNode('m', { ready: status, since: before(since) });
const deletionTimestamp = before(5);

const judged = (node: Target['node'], machine = {}, spec = {}) => {
  const target: Target = { machine: anOpenShiftMachine('m', machine), node };
  const health = healthOf(target, aCheck(spec), now);
  return health.kind === 'suspect' ? `suspect for ${(health.at - now) / 1000} s` : health.kind;
};
const starting = (lastUpdated?: string) => ({
  status: { phase: 'Provisioned', ...(lastUpdated && { lastUpdated }) },
});

describe('the health of a Machine', () => {
  it.each([
    ['with a Ready Node', aNode('True'), {}, {}, 'healthy'],
    ['of which the Node has just fallen silent', aNode('Unknown'), {}, {}, 'suspect for 11 s'],
    ['of which it has been silent for a while', aNode('Unknown', 8), {}, {}, 'suspect for 3 s'],
    ['of which it has been silent for just so long', aNode('Unknown', 10), {}, {}, 'suspect for 1 s'],
    ['of which it has been silent for too long', aNode('Unknown', 11), {}, {}, 'unhealthy'],
    ['with another timeout for another state', aNode('False', 11), {}, {}, 'suspect for 50 s'],
    ['of which the Node is gone', 'missing', {}, {}, 'unhealthy'],
    ['that has failed', aNode('True'), { status: { phase: 'Failed' } }, {}, 'unhealthy'],
    ['that is being deleted', aNode('True'), { deletionTimestamp }, {}, 'absent'],
    ['that starts', undefined, starting(before(20)), {}, 'suspect for 11 s'],
    ['that starts for just so long', undefined, starting(before(30)), {}, 'suspect for 1 s'],
    ['that never says anything', undefined, starting(), {}, 'suspect for 30 s'],
    ['that starts for too long', undefined, starting(before(31)), {}, 'unhealthy'],
    ['that may take any time', undefined, starting(before(3600)), { nodeStartupTimeout: '0' }, 'absent'],
    [
      'with a timeout by default',
      undefined,
      starting(before(601)),
      { nodeStartupTimeout: undefined },
      'unhealthy',
    ],
  ] as const)('%s', (_, node, machine, spec, expected) => {
    expect(judged(node, machine, spec)).toBe(expected);
  });
});

it.each([
  ['40%', 3, 1],
  ['40%', 5, 2],
  ['100%', 3, 3],
  ['0%', 3, 0],
  [2, 3, 2],
  ['2', 3, 2],
  [-1, 3, 0],
  [undefined, 3, 3],
  ['half', 3, -1],
])('of maxUnhealthy %s of %i at most %i may be unhealthy', (maxUnhealthy, total, expected) => {
  const spec = maxUnhealthy === undefined ? {} : { maxUnhealthy };
  expect(unhealthyLimit({ metadata: { name: 'c' }, spec }, total)).toBe(expected);
});

describe('a MachineHealthCheck', () => {
  const machines = 'machines.machine.openshift.io';
  const labels = { role: 'worker' };
  let platform: Platform;
  afterEach(() => platform.stop());

  async function aWorkerFleet(check: HealthCheck, others: KubeObject[] = []) {
    const workers = ['a', 'b', 'c'].flatMap((name) => [
      anOpenShiftMachine(name, { labels, owner: 'set' }),
      aLoadedNode(name),
    ]);
    const selector = { matchLabels: { role: 'worker', set: 'set' } };
    const set = anOpenShiftSet('set', { spec: { replicas: 3, selector } });
    platform = aFleet({ loaded: [check, set, ...workers, ...others], withCloud: true });
    await platform.seconds(1);
  }

  function silence(name: string, status = 'Unknown') {
    const lastTransitionTime = new Date(platform.clock.now()).toISOString();
    const conditions = [{ type: 'Ready', status, lastTransitionTime }];
    platform.patch('nodes', name, { status: { conditions } }, 'status');
  }

  const going = () =>
    platform
      .list(machines)
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      .map(({ metadata }) => metadata.name);
  const events = () =>
    platform.list('events').map((event) => `${textAt(event, 'reason')}: ${textAt(event, 'message')}`);
  const check = () => platform.get('machinehealthchecks.machine.openshift.io', 'check')!;

  it('has a Machine deleted that is unhealthy for too long, and the set replaces it', async () => {
    await aWorkerFleet(aCheck());
    expect(check()['status']).toMatchObject({
      expectedMachines: 3,
      currentHealthy: 3,
      remediationsAllowed: 3,
      conditions: [{ type: 'RemediationAllowed', status: 'True' }],
    });
    silence('b');
    await platform.seconds(10);
    expect(going()).toEqual([]);
    expect(check()['status']).toMatchObject({ currentHealthy: 2, remediationsAllowed: 2 });
    await platform.seconds(2);
    expect(going()).toEqual(['b']);
    expect(platform.list(machines)).toHaveLength(4);
    expect(events().filter((event) => event.includes('check/b/'))).toEqual([
      'MachineDeleted: Machine default/check/b/b has been remediated by requesting to delete Machine object',
      'DetectedUnhealthy: Machine default/check/b/b has unhealthy node b',
    ]);
  });

  it('does nothing when too many are unhealthy, until fewer are', async () => {
    await aWorkerFleet(aCheck({ maxUnhealthy: '40%' }));
    silence('a');
    silence('b');
    await platform.seconds(60);
    expect(going()).toEqual([]);
    expect(check()['status']).toMatchObject({
      remediationsAllowed: 0,
      conditions: [
        {
          type: 'RemediationAllowed',
          status: 'False',
          severity: 'Warning',
          reason: 'TooManyUnhealthy',
          message:
            'Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 3, unhealthy: 2, maxUnhealthy: 40%)',
        },
      ],
    });
    expect(events()).toContain(
      'RemediationRestricted: Remediation restricted due to exceeded number of unhealthy machines (total: 3, unhealthy: 2, maxUnhealthy: 40%)',
    );
    platform.setReady('b', 'True');
    await platform.seconds(1);
    expect(going()).toEqual(['a']);
  });

  it('has a Machine deleted at once whose Node has disappeared', async () => {
    await aWorkerFleet(aCheck());
    platform.remove('nodes', 'b', '');
    await platform.seconds(1);
    expect(going()).toEqual(['b']);
  });

  it('has each Machine deleted when its own time has come', async () => {
    await aWorkerFleet(aCheck());
    silence('a');
    silence('b', 'False');
    await platform.seconds(12);
    expect(going()).toEqual(['a']);
    await platform.seconds(50);
    expect(going()).toEqual(['a', 'b']);
  });

  it('goes on when as many are unhealthy as may be, and says that no more may', async () => {
    await aWorkerFleet(aCheck({ maxUnhealthy: 1 }));
    silence('a');
    await platform.seconds(1);
    expect(check()['status']).toMatchObject({
      remediationsAllowed: 0,
      conditions: [{ type: 'RemediationAllowed', status: 'True' }],
    });
    await platform.seconds(11);
    expect(going()).toEqual(['a']);
  });

  it('looks at the Machines of its own namespace alone', async () => {
    const { metadata, ...machine } = anOpenShiftMachine('far', { labels });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } };
    await aWorkerFleet(aCheck(), [
      namespace,
      { ...machine, metadata: { ...metadata, namespace: 'elsewhere' } },
    ]);
    expect(check()['status']).toMatchObject({ expectedMachines: 3 });
  });

  it('leaves a Machine without a controller to its owner', async () => {
    const lonely = anOpenShiftMachine('lonely', { labels });
    await aWorkerFleet(aCheck(), [lonely, aLoadedNode('lonely')]);
    silence('lonely');
    await platform.seconds(60);
    expect(going()).toEqual([]);
    expect(events()).toContain(
      'SkippedNoController: Machine default/check/lonely/lonely has no controller owner, skipping remediation',
    );
  });

  it.each([
    ['is paused', {}, { 'cluster.x-k8s.io/paused': '' }],
    ['selects others', { selector: { matchLabels: { role: 'infra' } } }, {}],
    ['has its template do it', { remediationTemplate: { kind: 'T', name: 't' } }, {}],
  ])('does nothing when it %s', async (_, spec, annotations) => {
    await aWorkerFleet(aCheck(spec, annotations));
    silence('a');
    await platform.seconds(60);
    expect(going()).toEqual([]);
  });

  it('asks for help elsewhere if it is told to', async () => {
    await aWorkerFleet(aCheck({}, { 'machine.openshift.io/remediation-strategy': 'external-baremetal' }));
    silence('a');
    await platform.seconds(60);
    expect(going()).toEqual([]);
    expect(platform.get(machines, 'a')!.metadata.annotations).toMatchObject({
      'host.metal3.io/external-remediation': '',
    });
    expect(events()).toContain(
      'ExternalAnnotationAdded: Requesting external remediation of node associated with machine default/check/a/a',
    );
  });

  it('asks for help once, and leaves what is said to it meanwhile', async () => {
    await aWorkerFleet(aCheck({}, { 'machine.openshift.io/remediation-strategy': 'external-baremetal' }));
    const annotations = { 'host.metal3.io/external-remediation': 'under way' };
    platform.patch(machines, 'a', { metadata: { annotations } });
    silence('a');
    await platform.seconds(60);
    expect(platform.get(machines, 'a')!.metadata.annotations).toMatchObject(annotations);
  });

  it('has a Machine deleted that has failed, whoever else could mend it', async () => {
    await aWorkerFleet(aCheck({}, { 'machine.openshift.io/remediation-strategy': 'external-baremetal' }));
    platform.patch(machines, 'a', { status: { phase: 'Failed' } }, 'status');
    await platform.seconds(1);
    expect(going()).toEqual(['a']);
  });
});
