import { openLooker } from '../../../../infra/cli/look/looker.ts';
import { lookSourceOf } from '../../../../infra/cli/look/options.ts';
import { main } from '../../../../infra/cli/main.ts';
import { sightOf } from '../../../../infra/cli/page/sight-of.ts';
import { planOptions } from '../../../../infra/cli/plan/options.ts';
import { openAllViews } from '../../../../infra/page/look/open-plans.ts';
import type { MachineView, PlanView } from '../../../../infra/page/views.ts';
import { parseArguments } from '../../../../infra/terminal/parse-arguments.ts';
import { writeFleetDump } from '../../../builders/fleet/fleet-dump.ts';
import { anOutside, parsed } from '../outside.ts';
import type { Planned } from '../plan/a-fleet.ts';
import { clock, first, noRecords } from './read-all.ts';

/** A plan of many, as the command line and the page are asked for it. */
export interface FleetWorld {
  name: string;
  args: string;
  query: string;
  /** What this cluster has is not given. */
  without?: string;
}

/** What each reader tells of many Machines. */
export interface FleetTold {
  plan: Planned;
  view: PlanView;
  /** Of each group its first and its last Machine, as the page shows it alone. */
  alone: { group: PlanView['groups'][number]; view: MachineView }[];
}

export async function readFleet({ args, query, without }: FleetWorld): Promise<FleetTold> {
  const { outside, written, folder } = await anOutside({ clock });
  const dump = await writeFleetDump(folder, { machines: 30, podsPerNode: 8 });
  const loading = dump.filter((word) => !word.startsWith(`fleet/${without}=`));
  await main(['plan', ...args.split(' '), ...loading, '-o', 'json'], outside);
  if (written.stdout === '') throw new Error(written.stderr);
  await using closing = new AsyncDisposableStack();
  const source = lookSourceOf(parseArguments(loading, planOptions).values);
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const about = { source, subject: 'a dump', recordsOf: noRecords };
  const views = openAllViews(await sightOf(looker, about, clock));
  const none = new URLSearchParams();
  const view = await first<PlanView>(views('/api/plan', new URLSearchParams(query)));
  const alone: FleetTold['alone'] = [];
  for (const group of view.groups)
    for (const { api, namespace, name } of new Set([group.machines[0]!, group.machines.at(-1)!]))
      alone.push({
        group,
        view: await first<MachineView>(views(`/api/machines/${api}/${namespace}/${name}`, none)),
      });
  return { plan: parsed<Planned>(written.stdout), view, alone };
}
