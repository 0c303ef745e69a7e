import { standingOrUnread } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { checkpointAnnotation, parseCheckpoint } from '../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import type { Instant } from '../../../shared/time/clock.ts';

/** What a Machine waits for, in its own words. */
export interface Standing {
  event: 'waits';
  phase: Phase;
  reason: string;
  message: string;
}

/** Where a deletion stands that phaseout has begun, as every reader tells it; undefined where it has not. */
export function standingOf(machine: KubeObject, now: Instant): Standing | undefined {
  const { uid = '', annotations } = machine.metadata;
  if (parseCheckpoint(annotations?.[checkpointAnnotation], uid).kind !== 'valid') return undefined;
  const { phase, waitsFor } = standingOrUnread(machine, { now }) ?? {};
  return phase === undefined || waitsFor === undefined ? undefined : { event: 'waits', phase, ...waitsFor };
}
