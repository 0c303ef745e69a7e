import type { Clock } from '../../../shared/time/clock.ts';
import { KeptHooks } from '../../hook/kept-hooks.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { Sight } from '../../page/look/sight.ts';
import { explained } from '../explain/explained.ts';
import type { Looker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';

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
  return {
    ...about,
    kubernetes,
    hooks: new KeptHooks({ kubernetes, selection, clock }),
    machineApis: await servedMachineApis(kubernetes, url, environment.dialects),
    clock,
    notes,
    explain: async (raw, history) => {
      looker.forgetUnread();
      return explained({ looker, source, raw }, history);
    },
  };
}
