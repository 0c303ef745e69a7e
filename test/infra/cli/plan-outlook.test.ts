import { describe, expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { reportLines } from '../../../infra/cli/plan/report.ts';
import { paintFor } from '../../../infra/terminal/paint.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { aDump, aMachine, aNode, anAwsMachine, aPod } from '../../builders/dump.ts';
import { anOutside, parsed } from './outside.ts';

const afterwards = 'Pods go with the server';
const nothing: DeletionPlan = {
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'a', uid: 'u' },
  held: [],
  phases: [],
  pods: [],
  batches: [],
  refusals: [],
  volumes: [],
  hooks: [],
  message: '',
};

async function report(plan: Partial<DeletionPlan>): Promise<string[]> {
  const { outside } = await anOutside({ env: { NO_COLOR: '1' } });
  const lines = reportLines({ ...nothing, ...plan }, 'fleet/a', paintFor(outside.stdout, outside));
  return lines.slice(3).filter((line) => line !== '');
}

describe('the report', () => {
  it.each<[when: string, standing: object, line: string]>([
    ['has not begun', { leftSeconds: 8 }, 'is given up 8 s after it begins'],
    [
      'has begun',
      { since: '2026-01-01T00:00:00Z', givenUpAt: '2026-01-01T00:00:08Z', leftSeconds: 3 },
      'is given up at 2026-01-01T00:00:08Z, in 3 s (8 s after 2026-01-01T00:00:00Z)',
    ],
    [
      'is over',
      { since: '2026-01-01T00:00:00Z', givenUpAt: '2026-01-01T00:00:08Z', leftSeconds: 0 },
      'is given up: its 8 s were over at 2026-01-01T00:00:08Z',
    ],
  ])('says when a step is given up whose time %s, and what happens then', async (_when, standing, line) => {
    const limit = { phase: 'drain' as const, seconds: 8, leftSeconds: 8, afterwards, ...standing };
    expect((await report({ limits: [limit] })).slice(-2)).toEqual([
      'Time limits',
      `  drain  ${line}; then ${afterwards}`,
    ]);
  });

  it('says which step is never given up', async () => {
    const phases: DeletionPlan['phases'] = [
      { phase: 'drain', does: 'work', why: '' },
      { phase: 'volume-detach', does: 'pass', why: '' },
      { phase: 'infrastructure', does: 'work', why: '' },
    ];
    expect((await report({ phases })).slice(-2)).toEqual([
      'Time limits',
      '  drain  is never given up: no time limit is set',
    ]);
  });

  it('says that the Node is unreachable, since when, and what that changes', async () => {
    expect(
      (await report({ unreachable: { node: 'n1', since: 'then', changes: ['one', 'two'] } })).slice(-3),
    ).toEqual(['Node n1 is unreachable, since then', '  one', '  two']);
    expect((await report({ unreachable: { node: 'n1', changes: [] } })).slice(-2)).toEqual([
      'Node n1 is unreachable, since when it does not say',
      '  that changes nothing: no Pod is evicted any more, and no volume is waited for',
    ]);
  });

  it('names Pods that come back with their toleration', async () => {
    const toleration = { key: 'a', operator: 'Exists', tolerationSeconds: 3 };
    expect((await report({ returning: [{ pod: 'ns/p', toleration }] })).slice(-3)).toEqual([
      'Pods that tolerate the cordon: they will come back as long as they may be scheduled onto this Node',
      '  ns/p  toleration {key: a, operator: Exists, tolerationSeconds: 3}',
      '  the drain is not done while one of them is on the Node: each that comes back is evicted again every 20 s',
    ]);
  });

  it('names namespaces that are being deleted, and what remains in them', async () => {
    const namespace = {
      name: 'ns',
      reason: 'NamespaceTerminating' as const,
      since: 'then',
      remaining: ['a Pod'],
    };
    expect((await report({ namespaces: [namespace] })).slice(-3)).toEqual([
      'Namespaces that are being deleted: every eviction of their Pods is refused',
      '  ns  NamespaceTerminating since then',
      '    a Pod',
    ]);
  });

  it('shows VolumeAttachments by their own names, and volumes that are not waited for', async () => {
    const stale = { name: 'csi-stale', persistentVolume: 'pvc-gone', detachError: 'not\u001B[31m found' };
    const lines = await report({
      volumes: [
        { kind: 'VolumeAttachment', ...stale },
        { kind: 'PersistentVolumeClaim', name: 'ns/c', attachment: 'csi-1', detachError: 'busy' },
      ],
      unawaited: [{ kind: 'PersistentVolumeClaim', name: 'ns/d', why: 'it is of a Pod that stays: ns/p' }],
    });
    expect(lines.slice(-5)).toEqual([
      'Volumes that have to come off',
      '  VolumeAttachment       csi-stale  of PersistentVolume pvc-gone; detaching failed: not\ufffd[31m found',
      '  PersistentVolumeClaim  ns/c       VolumeAttachment csi-1; detaching failed: busy',
      'Volumes that are attached and not waited for',
      '  PersistentVolumeClaim  ns/d  it is of a Pod that stays: ns/p',
    ]);
  });
});

const timeouts = {
  v1beta2: { deletion: { nodeDrainTimeoutSeconds: 8 } },
  v1beta1: { nodeDrainTimeout: '8s' },
};

it.each(['v1beta2', 'v1beta1'] as const)(
  'the plan of a dump of %s says all of it, as JSON too',
  async (version) => {
    const { outside, written, folder } = await anOutside();
    const machine = aMachine('a', { version });
    const node = aNode('a');
    const conditions = [{ type: 'Ready', status: 'Unknown', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const agent = aPod('agent-1', 'a', { kind: 'ReplicaSet', name: 'agent' });
    const path = await aDump(folder, [
      { ...machine, spec: { ...machine.spec, ...timeouts[version] } },
      anAwsMachine('a'),
      { ...node, status: { ...node.status, conditions } },
      { ...agent, spec: { ...agent.spec, tolerations: [{ operator: 'Exists' }] } },
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: 'csi-stale' },
        spec: { attacher: 'd', nodeName: 'a', source: { persistentVolumeName: 'pvc-gone' } },
        status: { attached: true },
      },
    ]);
    const code = await main(['plan', 'fleet/a', '--load', path, '-o', 'json'], outside);
    const plan = parsed<DeletionPlan>(written.stdout);
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(plan).toMatchObject({
      limits: [{ phase: 'drain', seconds: 8 }],
      unreachable: { node: 'a', since: '2026-01-01T00:00:00Z' },
      returning: [{ toleration: { operator: 'Exists' } }],
      unawaited: [{ name: 'csi-stale', persistentVolume: 'pvc-gone', why: 'the Node is unreachable' }],
    });
  },
);
