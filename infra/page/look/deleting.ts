import { shownDialect } from '../../../shared/assess/shown-dialect.ts';
import { standingOrUnread } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import {
  type Checkpoint,
  checkpointAnnotation,
  parseCheckpoint,
} from '../../../shared/machine/checkpoint.ts';
import { type Phase, phases } from '../../../shared/machine/phase.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { DeletingView } from '../views.ts';
import type { Seen } from './machine-watch.ts';
import { nameOf } from './names.ts';
import { nodesIn } from './nodes-in.ts';
import { stepsOf } from './steps.ts';

/** Where a deletion stands, from the Machine alone; undefined where there is none. */
export function deletingView(seen: Seen, now: Instant): DeletingView | undefined {
  const { machine, api } = seen;
  const standing = standingOrUnread(machine, { now, dialects: [api.dialect] });
  if (standing === undefined) return undefined;
  const steps = stepsOf(phasesOf(seen), standing.phase, checkpointIn(machine)?.passed);
  return { ...nameOf(seen), ...nodesIn(seen), standing, steps };
}

/** After a hand-over these are the phases of the API's own controller. */
function phasesOf({ machine, api }: Seen): readonly Phase[] {
  const { beside, phases: own } = shownDialect(machine, [api.dialect]) ?? api.dialect;
  return beside === undefined ? own : phases;
}

export function checkpointIn({ metadata: { annotations, uid = '' } }: KubeObject): Checkpoint | undefined {
  const reading = parseCheckpoint(annotations?.[checkpointAnnotation], uid);
  return reading.kind === 'valid' ? reading.checkpoint : undefined;
}
