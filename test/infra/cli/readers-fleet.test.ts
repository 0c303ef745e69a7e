import { describe, expect, it } from 'vitest';
import type { MachineName, PlannedView } from '../../../infra/page/views.ts';
import { verdictOf } from '../../../shared/explain/fleet/verdict.ts';
import { type FleetTold, type FleetWorld, readFleet } from './readers/read-fleet.ts';

// The plan of many is one, on the command line and on the page. Each Machine's own view agrees with it.

const worlds: FleetWorld[] = [
  { name: 'all Machines', args: '--all', query: '' },
  { name: 'those of a Cluster', args: '--cluster fleet/green', query: 'cluster=fleet%2Fgreen' },
  {
    name: 'those of a MachineSet with labels',
    args: '-l storage!=local --machine-set red-odd-1 -n fleet',
    query: 'selector=storage!%3Dlocal&machine-set=red-odd-1&namespace=fleet',
  },
  {
    name: 'those of a MachineDeployment',
    args: '--machine-deployment blue-odd',
    query: 'machine-deployment=blue-odd',
  },
  { name: 'all, with one cluster not given', args: '--all', query: '', without: 'red' },
];

type Rule = readonly [what: string, compared: (told: FleetTold) => [one: unknown, other: unknown]];

const nameOf = ({ namespace, name }: Pick<MachineName, 'namespace' | 'name'>) => `${namespace}/${name}`;

const rowOf = ({ namespace, name, verdict, cluster, node, heldBy }: Omit<PlannedView, 'api'>) => ({
  namespace,
  name,
  verdict,
  cluster,
  node,
  heldBy,
});

const rules: readonly Rule[] = [
  ['the totals are the same', ({ plan, view }) => [view.totals, plan.totals]],
  [
    'the groups are the same, with all that they say',
    ({ plan, view }) => [
      view.groups.map(({ machines, ...group }) => ({ ...group, machines: machines.map(nameOf) })),
      plan.groups,
    ],
  ],
  [
    'the Machines are the same, in the same order, with what holds each',
    ({ plan, view }) => [view.machines.map(rowOf), plan.machines.map(rowOf)],
  ],
  [
    'what was not read is the same, and so is what was done to the dump',
    ({ plan, view }) => [
      [view.unread, view.notes],
      [plan.unread, plan.notes],
    ],
  ],
  [
    'a Machine of a group has a cause of that kind in its own view',
    ({ alone }) => [
      alone.map(({ group, view }) =>
        [
          ...(view.explanation?.causes ?? []).map(({ kind }) => kind),
          ...(view.explanation?.unsure.length === 0 ? [] : ['unread']),
        ].includes(group.kind),
      ),
      alone.map(() => true),
    ],
  ],
  [
    'and it is held there by whom the group says',
    ({ alone }) => {
      const owned = alone.filter(({ group }) => group.kind === 'hook');
      return [
        owned.map(({ group, view }) =>
          (view.explanation?.causes ?? []).some(
            (cause) => cause.owner === group.owner && verdictOf(cause) === group.verdict,
          ),
        ),
        owned.map(() => true),
      ];
    },
  ],
];

describe.each(worlds)('a plan of $name', (world) => {
  let told: Promise<FleetTold> | undefined;

  it.each(rules)('%s', async (_what, compared) => {
    told ??= readFleet(world);
    const [one, other] = compared(await told);
    expect(one).toEqual(other);
  });

  it('is of some Machines, and something holds one', async () => {
    told ??= readFleet(world);
    const { view, alone } = await told;
    expect(view.totals.held).toBeGreaterThan(0);
    expect(alone.length).toBeGreaterThan(0);
  });
});
