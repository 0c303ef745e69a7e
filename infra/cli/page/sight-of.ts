import type { MachineSelection } from '../../../shared/explain/fleet/selection.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { KeptHooks } from '../../hook/kept-hooks.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { JudgedMany, Sight } from '../../page/look/sight.ts';
import { explained } from '../explain/explained.ts';
import type { Looker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';
import { judgeEach } from '../plan/many/judge-each.ts';
import { selectMachines } from '../plan/many/selected.ts';

export interface SightAbout extends Pick<Sight, 'subject' | 'recordsOf' | 'namespace'> {
  /** As the user reaches it, for the commands to copy. */
  source: LookSource;
}

/** What a page sees with, of what a looker sees. Throws NoMachineApi and Unavailable. */
export async function sightOf(
  looker: Looker,
  { source, ...about }: SightAbout,
  clock: Clock,
): Promise<Sight> {
  const { environment, url, notes } = looker;
  const { management: kubernetes } = environment;
  const selection = about.namespace === undefined ? {} : { namespace: about.namespace };
  const machineApis = await servedMachineApis(kubernetes, url, environment.dialects);
  return {
    ...about,
    kubernetes,
    hooks: new KeptHooks({ kubernetes, selection, clock }),
    machineApis,
    clock,
    notes,
    explain: async (raw, history) => {
      looker.forgetUnread();
      return explained({ looker, source, raw }, history);
    },
    judgeMany: (wanted) => judgeMany(wanted, { looker, source, machineApis }),
  };
}

/** As `phaseout plan` of many does. Its lists are held no longer than that. */
async function judgeMany(
  selection: MachineSelection,
  { looker, source, machineApis }: { looker: Looker; source: LookSource } & Pick<Sight, 'machineApis'>,
): Promise<JudgedMany> {
  await using closing = new AsyncDisposableStack();
  const many = looker.ofMany({ namespace: selection.namespace }, closing);
  const { machines } = await selectMachines(
    { kubernetes: many.environment.management, machineApis },
    selection,
  );
  const judged = await judgeEach(machines, { looker: many, source, judged: () => undefined });
  return { machines: judged, unread: many.unread() };
}
