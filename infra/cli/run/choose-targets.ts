import type { Clock } from '../../../shared/time/clock.ts';
import type { Outside } from '../../terminal/outside.ts';
import { CannotDo, UsageError } from '../../terminal/usage-error.ts';
import { apiGroups } from '../api-names.ts';
import { examples } from '../examples.ts';
import { type Fleet, findMachine, labelOf, listMachines, type Target } from '../fleet.ts';
import type { MachineName } from '../machine-name.ts';
import type { RunOptions } from '../options.ts';
import type { Following } from './follow.ts';

interface Choosing {
  options: Pick<RunOptions, 'source' | 'targets'>;
  fleet: Fleet;
  following: Pick<Following, 'resume'>;
  outside: Pick<Outside, 'clock' | 'interrupted'>;
  isServing: boolean;
}

/**
 * Deletes the chosen Machines. Machines of a dump may already be in deletion. Throws CannotDo, and UsageError
 * when nothing says which.
 */
export async function chooseTargets(choosing: Choosing): Promise<Target[]> {
  const { options, fleet, outside, isServing } = choosing;
  const { source, targets } = options;
  const { kubernetes, machineApis } = fleet;
  const given = { kubernetes, machineApis, isGiven: source.kind === 'manifests' };
  if (targets !== undefined) return deleteMachines(given, { names: targets, ...outside });
  if (isServing) return [];
  if (source.kind !== 'example') return goOn(choosing);
  return deleteMachines(fleet, { names: examples[source.name].deletes, ...outside });
}

const groups = Object.values(apiGroups).join(', ');

/** As many names as one reads at a glance. */
const mostNames = 10;

async function goOn({ fleet, following }: Choosing): Promise<Target[]> {
  const machines = await listMachines(fleet);
  const deleting = machines.filter(({ machine }) => machine.metadata.deletionTimestamp !== undefined);
  for (const one of deleting) following.resume(one);
  if (deleting.length > 0) return deleting.map(({ target }) => target);
  if (machines.length === 0) throw new UsageError(`there is no Machine of ${groups} in the manifests`);
  const names = machines.slice(0, mostNames).map(({ target }) => labelOf(fleet, target));
  const more = machines.length > mostNames ? ` and ${machines.length - mostNames} more` : '';
  throw new UsageError(
    `no Machine is being deleted; choose with --delete NAMESPACE/NAME from: ${names.join(', ')}${more}`,
  );
}

interface Deleting {
  names: readonly MachineName[];
  clock: Clock;
  /** Aborted: delete no further Machine. */
  interrupted: AbortSignal;
}

/**
 * Asks the API to delete the Machines, and answers with those that it has. Throws CannotDo when one cannot be found, and
 * UsageError when one of several may be meant; then none is deleted.
 */
export async function deleteMachines(
  fleet: Fleet,
  { names, clock, interrupted }: Deleting,
): Promise<Target[]> {
  const targets = await Promise.all(names.map((named) => findMachine(fleet, named)));
  await Promise.all(targets.map((target) => untilHeld(fleet, target, { clock, interrupted })));
  const deleted: Target[] = [];
  for (const target of targets) {
    if (interrupted.aborted) break;
    const { api, namespace, name, uid } = target;
    const outcome = await fleet.kubernetes.delete(api.resource, { namespace, name }, uid);
    if (outcome.kind === 'refused')
      throw new CannotDo(`Machine ${labelOf(fleet, target)} cannot be deleted: ${outcome.message}`);
    deleted.push(target);
  }
  return deleted;
}

const longestHoldMilliseconds = 10_000;
const holdLookMilliseconds = 50;

/**
 * Waits for the finalizer, which the functions or the API's own controller put on a new or loaded Machine. Without it the
 * Machine would go at once, and its Node, server and Pods would stay. Beside that controller it waits for our hook too. A
 * Machine that never gets them is deleted after the wait.
 */
async function untilHeld(
  { kubernetes }: Fleet,
  target: Target,
  { clock, interrupted }: Pick<Deleting, 'clock' | 'interrupted'>,
): Promise<void> {
  const { api, namespace, name } = target;
  const until = clock.now() + longestHoldMilliseconds;
  while (clock.now() < until && !interrupted.aborted) {
    const found = await kubernetes.get(api.resource, { namespace, name });
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
    const isHeld = found.metadata.finalizers?.includes(api.dialect.finalizer) === true;
    if (isHeld && api.dialect.beside?.register(api.dialect.read(found), 'PreDrain', true).kind !== 'due')
      return;
    await new Promise<void>((resolve) => void clock.after(holdLookMilliseconds, resolve));
  }
}
