import { keyOwner } from '../../../shared/explain/key-owner.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { Seen } from './machine-watch.ts';

/** When each hook was on the Machine at the latest (RFC 3339), by its name, where its manager is known. */
export function hooksSet({ machine }: Seen, plan: DeletionPlan | undefined): Record<string, string> {
  const known = (plan?.hooks ?? []).flatMap(({ name }) => {
    const set = keyOwner(machine, name);
    return set === undefined ? [] : [[name, set.by] as const];
  });
  return Object.fromEntries(known);
}
