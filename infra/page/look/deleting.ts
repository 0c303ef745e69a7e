import { shownDialect } from '../../../shared/assess/shown-dialect.ts';
import { standingOrUnread } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import {
  type Checkpoint,
  checkpointAnnotation,
  parseCheckpoint,
} from '../../../shared/machine/checkpoint.ts';
import { isBefore, type Phase, phases } from '../../../shared/machine/phase.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { DeletingView, StepView } from '../views.ts';
import type { Seen } from './machine-watch.ts';
import { nameOf, nodesIn } from './names.ts';

/** Where a deletion stands, from the Machine and the DeletionHooks that were listed; undefined where there is none. */
export function deletingView(
  seen: Seen,
  now: Instant,
  deletionHooks: readonly KubeObject[],
): DeletingView | undefined {
  const { machine, api } = seen;
  const standing = standingOrUnread(machine, { now, dialects: [api.dialect], deletionHooks });
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

/** The phases of a Machine's API as a row. `here`: where its deletion stands, as far as that is known. */
function stepsOf(
  own: readonly Phase[],
  here: Phase | undefined,
  passed: Checkpoint['passed'] = {},
): StepView[] {
  return own.map((phase) => {
    if (phase === here) return { phase, state: 'here' };
    if (here === undefined || isBefore(here, phase)) return { phase, state: 'ahead' };
    return { phase, state: passed[phase]?.as === 'not-applicable' ? 'skipped' : 'passed' };
  });
}
