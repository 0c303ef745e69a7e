import { type Beside, besideIn } from '../../knative/beside.ts';
import { hookWatchdogName } from '../../knative/hook-watchdog.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import { dataKinds, remainingSteps, type Step, startingSteps, steps } from '../deploy/kinds.ts';
import { nameOf } from '../deploy/object-name.ts';
import { isAdopted, listOurs, refuseOtherInstallations } from '../deploy/ours.ts';
import type { Site } from '../deploy/site.ts';
import { isConfigMap, variablesIn } from '../deploy/variables.ts';
import { removeHookKey } from './hook-key.ts';
import { tellHookedTemplates } from './hooked-templates.ts';
import { lookAtMachines } from './in-flight.ts';
import { lookedAfterIn } from './looked-after.ts';
import { removeNamespace } from './namespace.ts';
import { takeAway } from './take-away.ts';
import { refuseOthersNodes, type TakingOff, takeHooksOff } from './take-hooks-off.ts';
import { refuseInFlight, tellWhatIsLeft } from './what-is-left.ts';

export interface RemoveOptions {
  namespace: string;
  /** Leave Machines in deletion as they are. */
  abandon: boolean;
  /** Also where a Machine's own controller then deletes a Node that is not proven to be its own. */
  letsGoOfOthersNodes?: boolean;
  /** Remove the objects that hold data, too. */
  withData: boolean;
}

/**
 * Removes an installation in an order that lets nothing new begin, and waits until it is gone. Throws CannotDo if a
 * deletion is in flight, and Unavailable. Run it again to remove what is left.
 */
export async function remove(site: Site, options: RemoveOptions): Promise<'done' | 'interrupted'> {
  await refuseOtherInstallations(site, options.namespace);
  const there = await listOurs(site, steps.flat());
  const configMaps = there.map(({ object }) => object).filter(isConfigMap);
  const lookedAfter = lookedAfterIn(configMaps);
  const before = await lookAtMachines(site, lookedAfter);
  if (there.length > 0 && !options.abandon) refuseInFlight(before, 'would wait for ever');

  const beside = besideIn(Object.fromEntries(variablesIn(configMaps)));
  const letting = { letsGoOfOthersNodes: options.letsGoOfOthersNodes === true };
  await refuseOthersNodes(site, beside, letting);
  let count = await removeSteps(site, startingSteps);
  if (beside.apis.includes('openshift')) await tellHookedTemplates(site, beside.installation);
  // Without what puts them on, and while everything is there that a second run needs.
  await withoutHooks(site, beside, { abandon: options.abandon, ...letting });
  count += await removeSteps(site, remainingSteps);
  if (site.interrupted.aborted) return 'interrupted';
  count += await removeData(site, options);
  if (site.interrupted.aborted) return 'interrupted';
  count += await removeHookKey(site, options.namespace);
  await removeNamespace(site, hookWatchdogName(site.service));
  await removeNamespace(site, options.namespace);
  if (count > 0) tellWhatIsLeft(site, await lookAtMachines(site, lookedAfter));
  const what = count === 0 ? 'there was nothing to remove' : `${counted(count, 'object')} removed`;
  site.tell({ event: 'done', text: what });
  return 'done';
}

/** Throws CannotDo with the Machines that keep the hook, unless the user abandons them. */
async function withoutHooks(
  site: Site,
  beside: Beside,
  { abandon, ...how }: Pick<RemoveOptions, 'abandon'> & TakingOff,
): Promise<void> {
  try {
    await takeHooksOff(site, beside, how);
  } catch (error) {
    if (!abandon || !(error instanceof CannotDo)) throw error;
    site.tell({ event: 'warning', text: error.message });
  }
}

/** How many objects went. */
async function removeSteps(site: Site, some: readonly Step[]): Promise<number> {
  let count = 0;
  for (const step of some) {
    if (site.interrupted.aborted) return count;
    const ours = await listOurs(site, step);
    await takeAway(site, ours);
    count += ours.length;
  }
  return count;
}

/** How many objects went. */
async function removeData(site: Site, { withData }: RemoveOptions): Promise<number> {
  const ours = (await listOurs(site, dataKinds)).filter((one) => !isAdopted(one.object));
  if (withData) {
    await takeAway(site, ours);
    return ours.length;
  }
  for (const { object } of ours) {
    site.tell({ event: 'found', text: `${nameOf(object)} stays, with what is in it (--with-data takes it)` });
  }
  return 0;
}
