import { type Stage, stageOf } from '../../assess/stage.ts';
import { isHookOfOurs } from '../../dialects/beside/hook.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Machine } from '../../machine/machine.ts';
import { type Instant, rfc3339Seconds } from '../../time/clock.ts';
import type { Holding } from './hook-report.ts';
import type { ListedHook } from './listed-hooks.ts';

/** Whether a hook holds the deletion of a Machine, as far as the Machine shows it. */
export function holdingOf(machine: Machine, dialect: Dialect, hook: ListedHook, now: Instant): Holding {
  const { deletionTimestamp } = machine;
  if (deletionTimestamp === undefined) return { kind: 'living' };
  if (dialect.bypassedHooks(machine, hook.point).includes(hook.hook))
    return { kind: 'no', why: 'its API passes it over' };
  const stage = stageOf(machine, dialect, now);
  if (stage.reason === 'Paused') return { kind: 'no', why: 'Paused' };
  if (!holdsAt(stage, hook)) return { kind: 'no', why: stage.reason };
  const since = sinceOf(machine, dialect, stage, hook);
  return since === undefined
    ? { kind: 'holds', since: atMostSince(stage, deletionTimestamp), isAtMost: true }
    : { kind: 'holds', since, isAtMost: false };
}

const atMostSince = ({ heldAt, since }: Stage, deletionTimestamp: Instant): string =>
  (heldAt.length === 0 ? undefined : since) ?? rfc3339Seconds(deletionTimestamp);

/**
 * Our own hook holds the API's own controller, whatever we are at. Where a Machine shows nothing yet, hooks before the drain are
 * the first that it meets.
 */
const holdsAt = ({ phase, heldAt }: Stage, { point, hook, owner }: ListedHook): boolean =>
  (point === 'pre-drain' && (phase === undefined || isHookOfOurs(hook, owner))) ||
  heldAt.includes(point) ||
  phase === point;

/** The Machine's own word, or ours where phaseout is in that phase. One that was set late holds no longer than the phase. */
function sinceOf(
  machine: Machine,
  dialect: Dialect,
  stage: Stage,
  { point }: ListedHook,
): string | undefined {
  if (stage.phase !== undefined && stage.phase !== point && stage.heldAt.includes(point)) return undefined;
  return dialect.startTimes(machine)[point] ?? (stage.phase === point ? stage.since : undefined);
}
