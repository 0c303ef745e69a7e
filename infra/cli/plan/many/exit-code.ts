import { exitCodeFor, fleetPlanOf, judge } from '../../../../shared/explain/fleet/fleet-plan.ts';
import { seenFrom } from '../../explain/explained.ts';
import type { LookedAt } from '../../look/assess-machine.ts';
import type { Looker } from '../../look/looker.ts';
import type { LookSource } from '../../look/options.ts';

/** The exit code of a plan of many that is about this Machine alone. */
export function exitCodeOfOne(found: LookedAt, look: { looker: Looker; source: LookSource }): number {
  const seen = seenFrom(found, look);
  const workload = seen.dialect.workload(seen.machine);
  return exitCodeFor(fleetPlanOf([judge({ seen, workload, makers: new Map() })]));
}
