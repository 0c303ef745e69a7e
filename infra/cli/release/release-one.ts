import { hasHook, listOf } from '../../../shared/dialects/beside/hook.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { HookedApi } from '../../hook/hooked-apis.ts';
import { foresee, type Hooked, namesOn, releaseHook, type TakenOff } from '../../hook/take-off.ts';
import { printable } from '../../terminal/words.ts';
import type { Site } from '../deploy/site.ts';

/** How the hooks go, and to whom that is told. */
export interface Releasing
  extends Pick<Site, 'kubernetes' | 'interrupted' | 'tell' | 'othersNode'>,
    Pick<HookedApi, 'resource' | 'hooks'> {
  /** The Machine, as the user names it. */
  label: string;
  isDryRun: boolean;
  /** Machines were named. A foreign hook is no success then, and a living Machine is marked even without a hook. */
  isNamed: boolean;
}

/** `left`: there was nothing of ours to take off. */
export type Ending = 'released' | 'left' | 'kept' | 'interrupted';

/** Releases one Machine and tells what became of it. */
export async function releaseOne(releasing: Releasing, machine: KubeObject): Promise<Ending> {
  if (releasing.interrupted.aborted) return 'interrupted';
  const { kubernetes, resource, isNamed, isDryRun } = releasing;
  const hooks = listOf(releasing.hooks);
  const hooked = { kubernetes, resource, hooks, marksUnhooked: isNamed };
  if (!(await mayGo(releasing, hooked, machine))) return 'left';
  const outcome = isDryRun ? foresee(hooked, machine) : await releaseHook(hooked, machine);
  return told({ ...releasing, hook: namesOn(machine, hooks) }, outcome);
}

/** Who names a Machine means it, and is told what follows. All of them do not mean those that would take a Node along. */
async function mayGo(
  { tell, othersNode, isNamed, label }: Releasing,
  hooked: Hooked,
  machine: KubeObject,
): Promise<boolean> {
  const hasOurs = hooked.hooks.some((hook) => hasHook(machine, hook));
  const isHeld = foresee(hooked, machine).kind === 'released' && hasOurs;
  const why = isHeld ? await othersNode(machine, hooked.resource) : undefined;
  if (why === undefined) return true;
  const what = isNamed ? 'is let go all the same' : 'is left, unless it is named';
  tell({ event: 'warning', text: printable(`Machine ${label} ${what}: ${why}`) });
  return isNamed;
}

function told(releasing: Releasing & { hook: string }, outcome: TakenOff): Ending {
  const { tell, hook, isDryRun, isNamed, label } = releasing;
  const machine = `Machine ${label}`;
  switch (outcome.kind) {
    case 'released':
      tell({ event: 'object', change: 'released', object: machine, ...(isDryRun && { dryRun: true }) });
      return 'released';
    case 'gone':
    case 'none': {
      const what = outcome.kind === 'gone' ? 'is gone' : `does not have ${hook}`;
      tell({ event: 'found', text: `${machine} ${what}` });
      return 'left';
    }
    case 'foreign':
    case 'elsewhere': {
      const isForeign = outcome.kind === 'foreign';
      const value = isForeign ? printable(JSON.stringify(outcome.value)) : '';
      const why = isForeign ? `its value ${value} says that it is not phaseout's` : outcome.why;
      tell({ event: isNamed ? 'warning' : 'found', text: `${machine} keeps ${hook}: ${why}` });
      return isNamed ? 'kept' : 'left';
    }
    case 'failed':
      tell({ event: 'warning', text: `${machine} keeps ${hook}: ${printable(outcome.why)}` });
      return 'kept';
    default:
      return outcome satisfies never;
  }
}
