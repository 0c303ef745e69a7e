import { describe, expect, it } from 'vitest';
import { parsed } from '../outside.ts';
import { aFleet, type Planned } from './a-fleet.ts';

// The builders of the dump say which Machines are held by what.
const { plan, planned, planWithout } = aFleet({ machines: 100, podsPerNode: 8 });

describe('a plan of 300 Machines in three clusters', () => {
  it('has each Machine once in the totals, and in the group of each that holds it', async () => {
    const { code, plan: all } = await planned('--all');
    expect(code).toBe(4);
    expect(all.totals).toEqual({ machines: 300, goes: 224, held: 63, waits: 13, unknown: 0 });
    expect(
      all.groups.map(({ verdict, what, cluster = '', owner, machines, atOnce }) => [
        verdict,
        what,
        cluster,
        owner,
        machines.length,
        atOnce,
      ]),
    ).toEqual([
      ['held', 'pre-drain hook move-traffic of edge-team', '', 'edge-team', 30, undefined],
      ['held', 'DeletionHook take-out-osd asks its function at PreDrain', '', 'storage-team', 12, undefined],
      ...['fleet/blue', 'fleet/green', 'fleet/red'].map((cluster) => [
        'held',
        'PodDisruptionBudget shop/cart never lets a Pod go',
        cluster,
        'StatefulSet shop/cart',
        5,
        0,
      ]),
      ...['fleet/blue', 'fleet/green', 'fleet/red'].map((cluster) => [
        'held',
        'Pods of Deployment agents/agent come back to a cordoned Node',
        cluster,
        'Deployment agents/agent',
        2,
        undefined,
      ]),
      ['waits', 'PodDisruptionBudget shop/web has no room now', 'fleet/green', 'Deployment shop/web', 18, 2],
    ]);
    const ofGreen13 = all.machines.find(({ name }) => name === 'green-13');
    expect(ofGreen13).toMatchObject({
      namespace: 'fleet',
      cluster: 'green',
      node: 'green-13',
      verdict: 'held',
      heldBy: ['pre-drain hook move-traffic of edge-team', 'PodDisruptionBudget shop/web has no room now'],
    });
    expect(all.machines[0]?.verdict).toBe('held');
    expect(all.machines.at(-1)).toMatchObject({ name: 'red-99', verdict: 'goes', heldBy: [] });
    expect(all.unread).toEqual([]);
  });

  it('says of each group the object to change, its owner and a command', async () => {
    const { code, lines } = await plan('--all');
    expect(code).toBe(4);
    const at = lines.indexOf('Waits: it goes on by itself, later');
    expect(lines.slice(0, 6)).toEqual([
      '300 Machines: 224 go, 63 held, 13 wait, 0 unknown',
      '',
      'Held: somebody has to act',
      '  pre-drain hook move-traffic of edge-team',
      '    30 Machines: fleet/blue-3, fleet/blue-13, fleet/blue-23, ... (27 more)',
      '    owner: edge-team',
    ]);
    expect(lines.slice(at + 1, at + 5)).toEqual([
      '  PodDisruptionBudget shop/web has no room now, in cluster fleet/green',
      '    18 Machines need budget shop/web: 2 at a time: fleet/green-0, fleet/green-1, fleet/green-2, ... (15 more)',
      '    owner: Deployment shop/web',
      '    kubectl --kubeconfig green.kubeconfig describe poddisruptionbudgets.policy web -n shop',
    ]);
    expect(lines.at(-1)).toBe(
      "  kubectl get secret red-kubeconfig -n fleet -o jsonpath='{.data.value}' | base64 -d > red.kubeconfig",
    );
  });

  it('lists with -o wide every Machine, the worst first, and all names of a group', async () => {
    const { lines } = await plan('--cluster green -o wide');
    const head = lines.findIndex((line) => line.startsWith('VERDICT'));
    expect(lines[head]).toMatch(/^VERDICT {2}MACHINE +CLUSTER {2}NODE +HELD BY$/);
    expect(lines.slice(head + 1)).toHaveLength(100);
    expect(lines[head + 1]).toMatch(/^held +fleet\/green-3 +green +green-3 +pre-drain hook move-traffic/);
    expect(lines.at(-1)).toMatch(/^goes +fleet\/green-99 +green +green-99 +-$/);
    expect(lines.join('\n')).toContain('fleet/green-16, fleet/green-17');
  });

  it.each([
    ['one Cluster', '--cluster red', { machines: 100, goes: 79, held: 21, waits: 0, unknown: 0 }, 4],
    ['one Cluster with its namespace', '--cluster fleet/red', { machines: 100, held: 21 }, 4],
    ['a MachineDeployment', '--machine-deployment blue-even', { machines: 50, goes: 48, held: 2 }, 4],
    ['a MachineSet', '--machine-set blue-odd-1', { machines: 50, goes: 31, held: 19 }, 4],
    ['labels', '-l storage=local', { machines: 12, held: 12 }, 4],
    ['all of these', '-l storage!=local --machine-set red-even-1 -n fleet', { machines: 48, goes: 48 }, 0],
  ])('is of %s', async (_what, line, totals, expected) => {
    const { code, plan: some } = await planned(line);
    expect([code, some.totals]).toEqual([expected, expect.objectContaining(totals)]);
  });

  it.each([
    ['no such MachineSet', '--machine-set gone', 'nothing was judged, looked for of "gone"'],
    ['no such labels', '-l pool=x --cluster red', 'nothing was judged, looked for of "pool=x" and "red"'],
    ['no such namespace', '--all -n flet', 'there is no Namespace "flet" in the manifests'],
  ])('is none of %s: a plan of nothing passes for no good one', async (_what, line, message) => {
    const { code, stdout, stderr } = await plan(line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  it('does not know what it was not given, and never lets such a Machine go', async () => {
    const { code, stdout } = await planWithout('red', '--all -o json');
    const { totals, groups } = parsed<Planned>(stdout);
    expect(code).toBe(5);
    // Hooks of red ones hold whatever is on their Nodes.
    expect(totals).toEqual({ machines: 300, goes: 145, held: 56, waits: 13, unknown: 86 });
    expect(groups.filter(({ verdict }) => verdict === 'unknown').map(({ what }) => what)).toEqual([
      'what holds drain, volume-detach, node is unknown: its Node was not given',
    ]);
  });
});

describe('a plan of one Machine', () => {
  it.each([
    ['ends with 0, whatever it says', 'fleet/green-0', 0],
    ['ends with 4 where it waits, if that is asked for', 'fleet/green-0 --exit-code', 4],
    ['ends with 0 where it goes, if that is asked for', 'fleet/green-50 --exit-code', 0],
  ])('%s', async (_what, line, expected) => {
    const { code, lines } = await plan(line);
    expect([code, lines[0]]).toEqual([expected, `Deleting Machine ${line.split(' ')[0]}`]);
  });

  it('ends with 5 where something was not given, if that is asked for', async () => {
    expect((await planWithout('red', 'fleet/red-0 --exit-code')).code).toBe(5);
  });
});
