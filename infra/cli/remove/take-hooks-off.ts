import { forEachLimited } from '../../../shared/async/parallel.ts';
import { hookOf } from '../../../shared/dialects/beside/names.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { listHooked } from '../../hook/list-hooked.ts';
import { hasHook } from '../../hook/patch.ts';
import { type Hooked, takeHookOff } from '../../hook/take-off.ts';
import { servedMachineApi } from '../../host/served-machine-apis.ts';
import type { Beside } from '../../knative/beside.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted, printable } from '../../terminal/words.ts';
import type { Site } from '../deploy/site.ts';
import { pause } from '../run/until-gone.ts';

/** Who still puts hooks on, such as an API server that has not heard yet that the policy is gone, has done so by then. */
const pauseMilliseconds = 10_000;
const maxRounds = 6;
const maxAtOnce = 8;

/** Machines that keep the hook, with the reason. */
type Kept = ReadonlyMap<string, string>;

/**
 * Takes the hooks of an installation off all Machines, living or being deleted, until two lists in a row show none. They are
 * not marked as released: phaseout may be installed again. Throws CannotDo with those that keep it, and Unavailable where
 * Machines cannot be listed.
 * @param isLeft whether a Machine is looked after no more
 */
export async function takeHooksOff(
  site: Site,
  beside: Beside,
  isLeft: (machine: KubeObject) => boolean = () => true,
): Promise<void> {
  const { kubernetes, clock, interrupted } = site;
  const api = await servedMachineApi(kubernetes, clusterApi);
  if (api === undefined) return;
  const hook = hookOf(beside.installation);
  const hooked: Hooked = { kubernetes, resource: api.resource, hook, marksLiving: false };
  let kept: Kept = new Map();
  // Where nothing was ever hooked, one list is enough.
  let lists = beside.isBeside ? 2 : 1;
  for (let round = 0; round < maxRounds && !interrupted.aborted; round += 1) {
    const machines = (await ourMachines(site, hooked)).filter(isLeft);
    if (machines.length > 0) lists = 2;
    else lists -= 1;
    if (lists === 0) return;
    kept = await takeOffAll(site, hooked, machines);
    await pause(pauseMilliseconds, clock, interrupted);
  }
  if (!interrupted.aborted) throw notTakenOff(hook, kept);
}

const ourMachines = async ({ kubernetes }: Site, hooked: Hooked): Promise<KubeObject[]> =>
  (await listHooked(kubernetes, hooked)).filter((machine) => hasHook(machine, hooked.hook));

async function takeOffAll(
  { tell, interrupted }: Site,
  hooked: Hooked,
  machines: readonly KubeObject[],
): Promise<Kept> {
  const kept = new Map<string, string>();
  await forEachLimited(
    machines,
    async (machine) => {
      if (interrupted.aborted) return;
      const label = `${machine.metadata.namespace}/${machine.metadata.name}`;
      const outcome = await takeHookOff(hooked, machine);
      if (outcome.kind === 'failed') kept.set(label, printable(outcome.why));
      else if (outcome.kind === 'released')
        tell({ event: 'object', change: 'released', object: `Machine ${label}` });
    },
    maxAtOnce,
  );
  return kept;
}

function notTakenOff(hook: string, kept: Kept): CannotDo {
  if (kept.size === 0) return new CannotDo(`Machines get ${hook} again and again: does phaseout still run?`);
  const lines = [...kept].map(([machine, why]) => `  ${machine}: ${why}`);
  const who = counted(kept.size, 'Machine keeps', 'Machines keep');
  return new CannotDo([`${who} ${hook}, and would wait for it:`, ...lines].join('\n'));
}
