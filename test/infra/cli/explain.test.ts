import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import { anOutside, parsed, phaseout } from './outside.ts';

const recorded = (name: string): string => join(import.meta.dirname, `../../golden/capi/${name}.yaml`);
const field = (name: string): string => join(import.meta.dirname, 'field', name);

const headings = (lines: readonly string[]): string[] => lines.filter((line) => /^[A-Z]/.test(line)).slice(1);

/** What to do, in the order in which it is shown. */
const doing = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^ {2}(look|change|last) /.exec(line)?.[1] ?? []);

describe('explain', () => {
  it('says of a living Machine what would hold it, and advises nothing but to look', async () => {
    const { code, lines } = await phaseout('explain', 'fleet/worker-1', '--example', 'capi');
    expect(code).toBe(0);
    expect(lines.slice(0, 6)).toEqual([
      'Machine fleet/worker-1 is not being deleted',
      'What would hold it',
      '  pre-drain hook move-traffic of local-hook-owner',
      '    owner: local-hook-owner',
      '    annotation pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic',
      '    does not end by itself: its owner has to take it off, and no time limit ends that',
    ]);
    expect(new Set(doing(lines))).toEqual(new Set(['look']));
  });

  it.each([
    [
      'openshift',
      'openshift-machine-api/master-1',
      '  pre-drain hook EtcdQuorumOperator of clusteroperator/etcd',
    ],
    ['v1alpha1', 'machines/worker-1', '  nothing'],
  ])('knows Machines of %s', async (example, machine, cause) => {
    const { code, lines } = await phaseout('explain', machine, '--example', example);
    expect([code, lines[2]]).toEqual([0, cause]);
  });

  it('has all in its order, and on one screen, for a drain that a budget holds', async () => {
    const { code, lines } = await phaseout(
      'explain',
      'capi-bench/g-pdb-yam8',
      '--load',
      recorded('20-draining-pdb-blocked'),
    );
    expect(code).toBe(4);
    expect(headings(lines)).toEqual([
      'Where it stands',
      'What holds it',
      'Does it end by itself',
      'When it is given up',
      'What to do',
    ]);
    expect(lines).toContain('    needs 10 · has 10');
    expect(lines).toContain(
      '  ✓ pre-drain  ● drain  ○ volume-detach  ○ pre-terminate  ○ infrastructure  ○ bootstrap  ○ node  ○ finalize',
    );
    expect(doing(lines)).toEqual(['look', 'look', 'look', 'change']);
    expect(lines.length).toBeLessThan(40);
  });

  it.each([
    ['10-pre-drain-hook', 'g-predrain-yam8', 'held', 'no', ['hook', 'hook']],
    ['20-draining-pdb-blocked', 'g-pdb-yam8', 'held', 'unknown', ['budget']],
    ['30-waiting-for-volume-detach', 'g-vol-yam8', 'held', 'unknown', ['volume']],
    ['40-pre-terminate-hook', 'g-preterm-yam8', 'held', 'no', ['hook', 'hook']],
    ['50-waiting-for-infrastructure', 'g-infra-yam8', 'held', 'unknown', ['infrastructure']],
    ['80-paused', 'g-paused-yam8', 'held', 'no', ['pause']],
  ])('finds in the recording %s what holds Machine %s', async (name, machine, verdict, answer, kinds) => {
    const { code, stdout } = await phaseout(
      'explain',
      `capi-bench/${machine}`,
      '--load',
      recorded(name),
      '-o',
      'json',
    );
    const explanation = parsed<Explanation>(stdout);
    expect(code).toBe(4);
    expect([
      explanation.verdict,
      explanation.endsByItself.answer,
      explanation.causes.map(({ kind }) => kind),
    ]).toEqual([verdict, answer, kinds]);
    // The harmless first, and what gets round a wall last.
    const ranks = explanation.advice.map(({ does }) => ['looks', 'changes', 'destroys'].indexOf(does));
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
    expect(ranks[0]).toBe(0);
    expect(explanation.advice.filter(({ does, costs }) => does !== 'looks' && !costs)).toEqual([]);
  });

  it('does not exist for a Machine that does not', async () => {
    const { code, stderr } = await phaseout('explain', 'fleet/worker-9', '--example', 'capi');
    expect(code).toBe(1);
    expect(stderr).toContain('there is no Machine fleet/worker-9');
  });

  it('needs a Machine', async () => {
    const { code, stderr } = await phaseout('explain', '--example', 'capi');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'phaseout: explain needs the NAMESPACE/NAME of a Machine\nTry: phaseout explain --help\n',
    });
  });
});

interface Case {
  folder: string;
  machine?: string;
  says: readonly string[];
  never?: readonly string[];
}

const cases: Case[] = [
  {
    folder: '01-unreachable-pdb',
    says: [
      'PodDisruptionBudget shop/db refuses shop/db-0',
      'needs 1 · has 0 · allows 0 · expects 1',
      'Node n1 is unreachable, since 2026-11-26T00:00:00Z',
    ],
  },
  { folder: '04-same-node-name', machine: 'fleet-default/custom-old', says: ['  nothing'] },
  {
    folder: '11-tolerates-all',
    says: ['Pods that tolerate the cordon come back to the Node: kube-system/cilium-operator'],
  },
  {
    folder: 's05-pinned-by-node-name',
    says: [
      'Pods that ReplicaSet shop/pin makes on this very Node come back to it: shop/pin-1',
      'owner: ReplicaSet shop/pin',
      'its template names the Node by nodeName',
    ],
    never: ['tolerate the cordon'],
  },
  {
    folder: '13c-duplicate-provider-id',
    says: ['n1, n1-old', 'does not end by itself', 'get nodes -o custom-columns='],
  },
  {
    folder: '14-namespace-terminating',
    says: [
      'Namespace review-42 is being deleted',
      'its finalizers: example.com/x',
      'get namespaces review-42 -o yaml',
    ],
  },
  {
    folder: '16-instance-manager',
    says: [
      'InstanceManager instance-manager-aaa',
      'may not end by itself: until the operator of that owner acts',
    ],
    never: ['edit poddisruptionbudgets'],
  },
  {
    folder: '24-management-dump-without-nodes',
    says: ['what holds drain, volume-detach, node is unknown: its Node was not given'],
  },
  {
    folder: '32-stale-attachment',
    says: [
      'VolumeAttachment csi-stale',
      'detaching failed: rpc error: code = Internal desc = volume not found',
      'csi.vsphere.vmware.com',
    ],
  },
];

describe.each(cases)('the field case $folder', ({ folder, machine = 'prod/md-1', says, never = [] }) => {
  it('is explained before anything is deleted', async () => {
    const { code, stdout, lines } = await phaseout('explain', machine, '--load', field(folder));
    expect(code).toBe(0);
    for (const part of says) expect(stdout).toContain(part);
    for (const part of never) expect(stdout).not.toContain(part);
    expect(lines.length).toBeLessThan(41);
  });
});

describe('a deletion in flight on the local platform', () => {
  it.each([
    ['13c-duplicate-provider-id', 'node', 'no'],
    ['32-stale-attachment', 'volume', 'no'],
    ['16-instance-manager', 'budget', 'unknown'],
  ])('of the case %s is held by a %s', async (folder, kind, answer) => {
    const { outside, folder: home, interrupt } = await anOutside();
    const running = main(['run', '--load', field(folder), '--delete', 'prod/md-1', '--serve'], outside);
    const file = join(home, '.phaseout/kubeconfig');
    await vi.waitFor(
      async () => {
        const { code, stdout } = await phaseout('explain', 'prod/md-1', '--kubeconfig', file, '-o', 'json');
        expect(code).toBe(4);
        const { standing, causes } = parsed<Explanation>(stdout);
        expect(standing?.carriedBy).toBe('phaseout');
        expect(causes.find((cause) => cause.kind === kind)?.endsByItself).toBe(answer);
      },
      { timeout: 60_000, interval: 200 },
    );
    interrupt();
    await running;
  });

  it('is told with what was tried, by the store that the run names', async () => {
    const { outside, folder: home, written, interrupt } = await anOutside();
    const args = ['--load', field('16-instance-manager'), '--delete', 'prod/md-1'];
    const running = main(['run', ...args, '--serve', '-o', 'json'], outside);
    const places = ['--kubeconfig', join(home, '.phaseout/kubeconfig'), '-o', 'json'];
    await vi.waitFor(
      async () => {
        const endpoint = /"store":"([^"]+)"/.exec(written.stdout)?.[1] ?? '';
        const other = await anOutside({ clock: outside.clock });
        await main(['explain', 'prod/md-1', ...places, '--endpoint', endpoint], other.outside);
        const { tried, unread } = parsed<Explanation>(other.written.stdout);
        expect({ unread, first: tried?.[0]?.message }).toEqual({ unread: [], first: 'Cordoning Node n1' });
      },
      { timeout: 60_000, interval: 200 },
    );
    interrupt();
    await running;
  });
});
