import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../../builders/dump.ts';
import { aGuardedCluster } from '../look/guarded.ts';
import { anOutside, parsed, phaseout } from '../outside.ts';

const moveTraffic = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';
const misspelt = 'pre-drain.delete.hook.machine.cluster-x-k8s.io/move-traffic';
const group = 'cluster.x-k8s.io';
const now = Date.parse('2026-11-27T12:00:00Z');

const controller = (kind: string, name: string) => ({
  apiVersion: `${group}/v1beta2`,
  kind,
  name,
  uid: `uid-${name}`,
  controller: true,
});

const held = aMachine('a', {
  metadata: {
    annotations: { [moveTraffic]: 'balancer', [misspelt]: 'balancer' },
    deletionTimestamp: '2026-11-27T11:20:00Z',
    ownerReferences: [controller('MachineSet', 'ms')],
    managedFields: [
      {
        manager: 'traffic-operator',
        operation: 'Update',
        apiVersion: `${group}/v1beta2`,
        time: '2026-11-27T10:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${moveTraffic}`]: {} } } },
      },
    ],
  },
});
const living = aMachine('b', { metadata: { annotations: { [moveTraffic]: '' } } });
const machineSet = {
  apiVersion: `${group}/v1beta2`,
  kind: 'MachineSet',
  metadata: { name: 'ms', namespace: 'fleet', uid: 'uid-ms' },
  spec: {
    clusterName: 'blue',
    replicas: 1,
    selector: { matchLabels: { pool: 'ms' } },
    template: {
      metadata: { labels: { pool: 'ms' }, annotations: { [moveTraffic]: 'balancer' } },
      spec: held.spec,
    },
  },
};
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fleet' } };
const objects = [namespace, held, living, machineSet];

const all = [
  'list machines.cluster.x-k8s.io',
  'list machinesets.cluster.x-k8s.io',
  'list events',
  'list deletionhooks.phaseout.dev',
];

/** What the user viewer reads, at noon. */
async function hooksAs(rights: readonly string[], ...args: string[]) {
  const { outside, written, folder } = await anOutside({ clock: { ...systemClock, now: () => now } });
  const cluster = await aGuardedCluster(objects, rights, { folder, name: 'here' });
  const code = await main(['hooks', '--kubeconfig', cluster.kubeconfig, ...args], outside);
  const lists = cluster.asked.filter(({ verb }) => verb === 'list').map(({ resource }) => resource);
  return { code, lines: written.stdout.trimEnd().split('\n'), stderr: written.stderr, lists };
}

const warnings = [
  'Warnings',
  `  Machine fleet/a: ${moveTraffic}`,
  '    it has held for at most 40 min, without any Event of balancer on the Machine: does that run?',
  `  Machine fleet/a: ${misspelt}`,
  '    no controller of cluster.x-k8s.io takes this key for a hook: it holds nothing',
  `  MachineSet fleet/ms: ${moveTraffic}`,
  '    a hook in a template of Cluster API comes back when it is taken off a living Machine, and stands on infrastructure and bootstrap objects too: put it on the Machines instead',
];

describe('phaseout hooks', () => {
  test('lists them, those that hold first, and says what is wrong with them', async () => {
    const { code, lines, stderr } = await hooksAs(all);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines).toEqual([
      '2 hooks on 2 Machines; 1 holds a deletion',
      '  MACHINE  POINT      HOOK          OWNER     HOLDS               ON SINCE                                    TEMPLATE',
      '  fleet/a  pre-drain  move-traffic  balancer  for at most 40 min  by 2026-11-27T10:00:00Z (traffic-operator)  MachineSet fleet/ms',
      '  fleet/b  pre-drain  move-traffic  unknown   -                   unknown                                     -',
      '',
      ...warnings,
    ]);
  });

  test('asks for one list of each kind, and nothing of any Machine', async () => {
    expect((await hooksAs(all)).lists.toSorted()).toEqual([
      'deletionhooks',
      'events',
      'machines',
      'machinesets',
    ]);
  });

  test('lists those of one namespace', async () => {
    const { lines } = await hooksAs(all, '-n', 'other');
    expect(lines).toEqual(['No Machine has a hook']);
  });

  test('as JSON it has all of it', async () => {
    const { lines } = await hooksAs(all, '-o', 'json');
    const {
      rows,
      warnings: told,
      ...rest
    } = parsed<{ rows: unknown[]; warnings: unknown[] }>(lines.join(''));
    expect(rows[0]).toEqual({
      machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'a', uid: 'machine-a' },
      point: 'pre-drain',
      hook: moveTraffic,
      owner: 'balancer',
      holding: { kind: 'holds', since: '2026-11-27T11:20:00Z', isAtMost: true },
      set: { manager: 'traffic-operator', by: '2026-11-27T10:00:00Z' },
      template: 'MachineSet fleet/ms',
    });
    expect(told).toHaveLength(3);
    expect(rest).toEqual({ notes: [], unread: [] });
  });

  test('what may not be read is said on the other stream, and nothing is concluded from it', async () => {
    const { code, lines, stderr } = await hooksAs(['list machines.cluster.x-k8s.io']);
    expect(code).toBe(0);
    expect(lines.slice(2)).toEqual([
      '  fleet/a  pre-drain  move-traffic  balancer  for at most 40 min  by 2026-11-27T10:00:00Z (traffic-operator)  unknown',
      '  fleet/b  pre-drain  move-traffic  unknown   -                   unknown                                     unknown',
      '',
      'Warnings',
      `  Machine fleet/a: ${misspelt}`,
      '    no controller of cluster.x-k8s.io takes this key for a hook: it holds nothing',
    ]);
    expect(stderr).toBe(
      'not read: deletionhooks.phaseout.dev: forbidden for user viewer\n' +
        'not read: events: forbidden for user viewer\n' +
        'not read: machinesets.cluster.x-k8s.io: forbidden for user viewer\n',
    );
  });

  test('where no Machine may be read that is all it says', async () => {
    const { code, lines, stderr } = await hooksAs(all.slice(1));
    expect({ code, lines, stderr }).toEqual({
      code: 1,
      lines: [''],
      stderr: 'phaseout: not read: machines.cluster.x-k8s.io: forbidden for user viewer\n',
    });
  });

  test.each([
    [['fleet/a'], 'unexpected argument "fleet/a"'],
    [['-n', ''], '--namespace takes the name of a namespace'],
    [['--workload-context', 'x'], "Unknown option '--workload-context'"],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await phaseout('hooks', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(`phaseout: ${message}`);
  });

  test('shows those of the example fleets', async () => {
    expect((await phaseout('hooks', '--example', 'capi')).lines).toEqual([
      '2 hooks on 1 Machine; none holds a deletion',
      '  MACHINE         POINT          HOOK          OWNER             HOLDS  ON SINCE  TEMPLATE',
      '  fleet/worker-1  pre-drain      move-traffic  local-hook-owner  -      unknown   -',
      '  fleet/worker-1  pre-terminate  back-up-logs  local-hook-owner  -      unknown   -',
    ]);
    expect((await phaseout('hooks', '--example', 'openshift')).lines[0]).toBe(
      '4 hooks on 4 Machines; none holds a deletion',
    );
    expect((await phaseout('hooks', '--example', 'v1alpha1')).lines).toEqual(['No Machine has a hook']);
  });

  test('shows those of a dump', async () => {
    const { outside, written, folder } = await anOutside({ clock: { ...systemClock, now: () => now } });
    const items = [held, living, anAwsMachine('a'), anAwsMachine('b'), aNode('a'), aNode('b')];
    const dump = await aDump(folder, items);
    expect(await main(['hooks', '--load', dump], outside)).toBe(0);
    expect(written.stdout.split('\n').slice(0, 4)).toEqual([
      '2 hooks on 2 Machines; 1 holds a deletion',
      '  MACHINE  POINT      HOOK          OWNER     HOLDS               ON SINCE                                    TEMPLATE',
      '  fleet/a  pre-drain  move-traffic  balancer  for at most 40 min  by 2026-11-27T10:00:00Z (traffic-operator)  -',
      '  fleet/b  pre-drain  move-traffic  unknown   -                   unknown                                     -',
    ]);
  });

  test('shows those of a recording of the real controller', async () => {
    const recorded = join(import.meta.dirname, '../../../golden/capi/40-pre-terminate-hook.yaml');
    const { code, lines } = await phaseout('hooks', '--load', recorded);
    expect(code).toBe(0);
    expect(lines.slice(0, 4).map((line) => line.trim().replace(/\d+ d/, 'N d').split(/ {2,}/))).toEqual([
      ['2 hooks on 1 Machine; 2 hold deletions'],
      ['MACHINE', 'POINT', 'HOOK', 'OWNER', 'HOLDS', 'ON SINCE', 'TEMPLATE'],
      ['capi-bench/g-preterm-yam8', 'pre-terminate', 'backup', 'x', 'for at most N d', 'unknown', '-'],
      ['capi-bench/g-preterm-yam8', 'pre-terminate', 'etcd', 'y', 'for at most N d', 'unknown', '-'],
    ]);
  });

  test('shows who can help with a hook of others, where a DeletionHook says so', async () => {
    const { outside, written, folder } = await anOutside({ clock: { ...systemClock, now: () => now } });
    const described = {
      apiVersion: 'phaseout.dev/v1alpha1',
      kind: 'DeletionHook',
      metadata: { name: 'traffic', namespace: 'fleet', uid: 'traffic' },
      spec: {
        setBy: 'Others',
        hook: 'move-traffic',
        at: 'PreDrain',
        contact: '#network',
        silentAfter: '30m',
      },
    };
    const dump = await aDump(folder, [held, anAwsMachine('a'), aNode('a'), described]);
    expect(await main(['hooks', '--load', dump], outside)).toBe(0);
    const lines = written.stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(lines[1]?.at(-1)).toBe('CONTACT');
    expect(lines[2]?.at(-1)).toBe('#network');
    expect(written.stdout).toContain(
      'it has held for at most 40 min, without any Event of balancer on the Machine: does that run? (contact #network)',
    );
  });

  test('shows what holds a deletion that is under way on the local platform', async () => {
    const { outside, written, folder, interrupt } = await anOutside();
    const hooked = aMachine('a', { metadata: { annotations: { [moveTraffic]: 'balancer' } } });
    const manifests = await aDump(folder, [hooked, anAwsMachine('a'), aNode('a')]);
    const running = main(['run', '--serve', '--load', manifests, '--delete', 'fleet/a'], outside);
    await vi.waitFor(() => expect(written.stdout).toContain('waits=WaitingForPreDrainHook'), 10_000);
    const other = await anOutside({ clock: outside.clock });
    const kubeconfig = join(folder, '.phaseout/kubeconfig');
    expect(await main(['hooks', '--kubeconfig', kubeconfig], other.outside)).toBe(0);
    const lines = other.written.stdout.split('\n');
    expect(lines[0]).toBe('1 hook on 1 Machine; 1 holds a deletion');
    expect(lines[2]).toMatch(/^ {2}fleet\/a {2}pre-drain {2}move-traffic {2}balancer {2}for \d+ s/);
    interrupt();
    await running;
  });
});
