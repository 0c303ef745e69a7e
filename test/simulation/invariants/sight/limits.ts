import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import { deletionTimeOf } from '../../../stories/stage/told-machine.ts';

/** Phases that a time limit may end before all is done, with the limit of each. */
export const limitsOfSteps = { drain: 'drain', 'volume-detach': 'volumes' } as const;
export const limitedSteps = ['drain', 'volume-detach'] as const;

/** In seconds; 0 where there is no limit. */
export function limitOf(machine: KubeObject, step: 'drain' | 'volumes' | 'node'): number {
  const fields = {
    drain: ['nodeDrainTimeoutSeconds', 'nodeDrainTimeout'],
    volumes: ['nodeVolumeDetachTimeoutSeconds', 'nodeVolumeDetachTimeout'],
    node: ['nodeDeletionTimeoutSeconds', 'nodeDeletionTimeout'],
  } as const;
  const [newer, older] = fields[step];
  const seconds = recordAt(machine, 'spec', 'deletion')[newer];
  if (typeof seconds === 'number') return seconds;
  return secondsOf(textAt(machine, 'spec', older) ?? '0s');
}

/** Of the durations that scenarios write: `1h2m3s`. */
function secondsOf(duration: string): number {
  const units: Record<string, number> = { h: 3_600, m: 60, s: 1 };
  let seconds = 0;
  for (const [, number, unit = ''] of duration.matchAll(/([\d.]+)([hms])(?!s)/g))
    seconds += Number(number) * (units[unit] ?? 0);
  return Math.trunc(seconds);
}

const starts = { drain: 'nodeDrainStartTime', volumes: 'waitForNodeVolumeDetachStartTime' } as const;

/**
 * By its start in the status, and the clocks of the instance. Where no status could be written it may have begun at any
 * time since the deletion.
 */
export function isLimitOver(
  machine: KubeObject,
  step: keyof typeof starts,
  presents: readonly number[],
): boolean {
  const limit = limitOf(machine, step) * 1_000;
  const told = deletionTimeOf(machine, starts[step]);
  const began = Date.parse(told ?? machine.metadata.deletionTimestamp ?? '');
  return limit > 0 && presents.some((now) => now - began >= limit);
}
