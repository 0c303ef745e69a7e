import { CannotDo } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import type { Site } from '../deploy/site.ts';
import { type Left, lookAtMachines } from './in-flight.ts';
import { type LookedAfter, mayBeLess } from './looked-after.ts';

/** Throws CannotDo with the Machines in deletion, and what would happen to them. */
export function refuseInFlight({ inFlight }: Left, fate: string): void {
  if (inFlight.length === 0) return;
  const lines = inFlight.map((machine) => `  ${machine}`);
  const who = counted(inFlight.length, 'Machine is', 'Machines are');
  throw new CannotDo([`${who} being deleted, and ${fate} (--abandon leaves them so):`, ...lines].join('\n'));
}

/** What the user can do with Machines that phaseout no longer looks after. */
export function tellWhatIsLeft({ tell }: Pick<Site, 'tell'>, { inFlight, held }: Left): void {
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

/** The Machines that phaseout looks after before the update, and after it. */
interface Narrowing {
  before: LookedAfter;
  after: LookedAfter;
}

/**
 * Throws CannotDo if a deletion in flight would stop for good, unless the user abandons it. Throws
 * Unavailable too. Reads Machines only if the change may leave some without a controller.
 */
export async function refuseGivenUp(
  site: Site,
  { before, after }: Narrowing,
  { abandon }: { abandon: boolean },
): Promise<void> {
  if (!mayBeLess(before, after)) return;
  const left = await lookAtMachines(site, before, after);
  if (!abandon) refuseInFlight(left, 'would no longer be looked after');
  tellWhatIsLeft(site, left);
}
