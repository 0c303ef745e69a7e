import { dataKinds, steps } from '../deploy/kinds.ts';
import { nameOf } from '../deploy/object-name.ts';
import { refuseOtherInstallations } from '../deploy/other-installations.ts';
import { isAdopted, listOurs } from '../deploy/ours.ts';
import type { Site } from '../deploy/site.ts';
import { CannotDo } from '../usage-error.ts';
import { counted } from '../words.ts';
import { type Left, lookAtMachines } from './in-flight.ts';
import { readLookedAfter } from './looked-after.ts';
import { removeNamespace } from './namespace.ts';
import { takeAway } from './take-away.ts';

export interface RemoveOptions {
  namespace: string;
  /** Leave Machines that are being deleted where they are. */
  abandon: boolean;
  /** Take away what holds data as well. */
  withData: boolean;
}

/**
 * Takes an installation away, in an order in which nothing new begins, and waits until it is gone. Throws CannotDo where
 * a deletion is in flight, and CouldNotLook; what is left by then can be taken away by doing it again.
 */
export async function remove(site: Site, options: RemoveOptions): Promise<'done' | 'interrupted'> {
  await refuseOtherInstallations(site, options.namespace);
  const lookedAfter = await readLookedAfter(site);
  const before = await lookAtMachines(site, lookedAfter);
  const isInstalled = (await listOurs(site, steps.flat())).length > 0;
  if (isInstalled && !options.abandon) refuseInFlight(before);

  let count = 0;
  for (const step of steps) {
    if (site.interrupted.aborted) return 'interrupted';
    const ours = await listOurs(site, step);
    await takeAway(site, ours);
    count += ours.length;
  }
  count += await removeData(site, options);
  if (site.interrupted.aborted) return 'interrupted';
  await removeNamespace(site, options.namespace);
  if (count > 0) tellWhatIsLeft(site, await lookAtMachines(site, lookedAfter));
  const what = count === 0 ? 'there was nothing to remove' : `${counted(count, 'object')} removed`;
  site.tell({ event: 'done', text: what });
  return 'done';
}

function refuseInFlight({ inFlight }: Left): void {
  if (inFlight.length === 0) return;
  const lines = inFlight.map((machine) => `  ${machine}`);
  throw new CannotDo(
    [
      `${counted(inFlight.length, 'Machine is', 'Machines are')} being deleted, and would wait for ever (--abandon leaves them so):`,
      ...lines,
    ].join('\n'),
  );
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

function tellWhatIsLeft({ tell }: Site, { inFlight, held }: Left): void {
  if (inFlight.length > 0) {
    const machines = inFlight.join(', ');
    const text = `being deleted, and left as they are with their finalizers, checkpoints and cordoned Nodes, until phaseout or the Machine API's own controller goes on: ${machines}`;
    tell({ event: 'warning', text });
  }
  for (const { dialect, count } of held) {
    const who = counted(count, 'living Machine');
    const how = `kubectl patch machines.${dialect.group} NAME -n NAMESPACE --type merge -p '{"metadata":{"finalizers":null}}'`;
    const text = `${who} of ${dialect.group} ${count === 1 ? 'keeps' : 'keep'} the finalizer ${dialect.finalizer}: when deleted, they wait for phaseout or another controller. To let go of one without deleting its server: ${how}`;
    tell({ event: 'warning', text });
  }
}
