import { openLooker } from '../../../../infra/cli/look/looker.ts';
import type { LookSource } from '../../../../infra/cli/look/options.ts';
import { main } from '../../../../infra/cli/main.ts';
import { sightOf } from '../../../../infra/cli/page/sight-of.ts';
import { openViews } from '../../../../infra/page/look/open-views.ts';
import type { Read } from '../../../../infra/page/server/answer-view.ts';
import type { MachineName, MachineView, OverviewView } from '../../../../infra/page/views.ts';
import type { DeletionStatus } from '../../../../shared/explain/deletion-status.ts';
import type { Explanation } from '../../../../shared/explain/explanation.ts';
import type { StandingGroup } from '../../../../shared/explain/fleet/standing-groups.ts';
import type { HookReport } from '../../../../shared/explain/hooks/hook-report.ts';
import type { DeletionPlan } from '../../../../shared/plan/deletion-plan.ts';
import { anOutside, parsed } from '../outside.ts';
import { quickClock } from '../quick-clock.ts';
import { type World, written } from './worlds.ts';

/** What each reader tells of one Machine. */
export interface AllTold {
  plan: DeletionPlan;
  explanation: Explanation;
  /** Its row; undefined where it is not being deleted. */
  row: DeletionStatus | undefined;
  /** DeletionHooks that ask nothing, as `status` names them. */
  unasked: string[];
  /** Of `status --by blocker`. */
  groups: StandingGroup[];
  hooks: HookReport;
  overview: OverviewView;
  view: MachineView;
}

/** Long after the worlds were made. Timers come, and it is never later. */
const now = Date.parse('2026-11-28T12:00:00Z');
export const clock = { ...quickClock(8), now: () => now };

/** Shows one world to all readers, at one time. */
export async function readAll(world: World): Promise<AllTold> {
  const { folder } = await anOutside();
  const [file, machine] = await written(world, folder);
  const told = async <T>(...args: string[]): Promise<T> => {
    const { outside, written: said } = await anOutside({ clock });
    await main([...args, '--load', file, '-o', 'json'], outside);
    if (said.stdout === '') throw new Error(said.stderr);
    return parsed<T>(said.stdout);
  };
  const {
    machines,
    groups,
    unasked = [],
  } = await told<{
    machines: DeletionStatus[];
    groups: StandingGroup[];
    unasked?: HookReport['warnings'];
  }>('status', '--by', 'blocker');
  const row = machines.find((each) => `${each.machine.namespace}/${each.machine.name}` === machine);
  const hooks = await told<HookReport>('hooks');
  const isMeant = ({ machine: ref }: HookReport['rows'][number]): boolean =>
    `${ref.namespace}/${ref.name}` === machine;
  return {
    plan: await told<DeletionPlan>('plan', machine),
    explanation: await told<Explanation>('explain', machine),
    row,
    groups,
    unasked: unasked.map(({ object, message }) => `${object}: ${message}`),
    hooks: { ...hooks, rows: hooks.rows.filter(isMeant) },
    ...(await onPage({ kind: 'manifests', paths: [file] }, machine)),
  };
}

async function onPage(source: LookSource, machine: string): Promise<Pick<AllTold, 'overview' | 'view'>> {
  const { outside } = await anOutside({ clock });
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const views = openViews(await sightOf(looker, { source, subject: 'a dump', recordsOf: noRecords }, clock));
  const overview = await first<OverviewView>(views('/api/overview'));
  const names: MachineName[] = [...overview.deleting, ...overview.living];
  const { api = '' } = names.find(({ namespace, name }) => `${namespace}/${name}` === machine) ?? {};
  return { overview, view: await first<MachineView>(views(`/api/machines/${api}/${machine}`)) };
}

export const noRecords = async () => ({ history: [], pods: [], unread: [] });

/** What a view shows first. */
export const first = <T>(read: Read | undefined): Promise<T> =>
  new Promise((resolve) => {
    const stop = read?.((found) => {
      queueMicrotask(() => stop?.());
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path says which view it is
      resolve(found as T);
    });
  });
