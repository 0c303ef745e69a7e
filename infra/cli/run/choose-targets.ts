import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { apiGroups } from '../api-names.ts';
import { deleteMachines } from '../delete-machines.ts';
import { examples } from '../examples.ts';
import { type Fleet, labelOf, listMachines, type Target } from '../fleet.ts';
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
  if (targets !== undefined) return deleteMachines(fleet, { names: targets, ...outside });
  if (isServing) return [];
  if (source.kind !== 'example') return goOn(choosing);
  return deleteMachines(fleet, { names: examples[source.name].deletes, ...outside });
}

const groups = Object.values(apiGroups).join(', ');

async function goOn({ fleet, following }: Choosing): Promise<Target[]> {
  const machines = await listMachines(fleet);
  const deleting = machines.filter(({ machine }) => machine.metadata.deletionTimestamp !== undefined);
  for (const one of deleting) following.resume(one);
  if (deleting.length > 0) return deleting.map(({ target }) => target);
  if (machines.length === 0) throw new UsageError(`there is no Machine of ${groups} in the manifests`);
  const names = machines.map(({ target }) => labelOf(fleet, target)).join(', ');
  throw new UsageError(`no Machine is being deleted; choose with --delete NAMESPACE/NAME from: ${names}`);
}
