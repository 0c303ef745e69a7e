import type { Condition, KubeObject } from '../kubernetes/objects.ts';
import { ownCondition, type Verdict } from '../machine/own-condition.ts';
import { goesByCluster } from '../machine/selection.ts';
import type { Instant } from '../time/clock.ts';
import { type DeletionHook, readDeletionHook, unclearIn } from './deletion-hook.ts';
import { noKey } from './turn.ts';

/** What a sweep has seen of the Machines of a DeletionHook. */
export interface SeenOfHook {
  /** How many Machines it selects. */
  machines: number;
  /** Why nothing is asked for some of them, a sentence each; empty where all are asked for. */
  whyNot: readonly string[];
  /** Whether its function is asked for any of them. */
  asks: boolean;
  /** How many Machines wait for its function. */
  waiting: number;
  /** Those of them that a person should look at. */
  heldUp: number;
  /** Whether there is a key for the tokens of calls. */
  hasKey: boolean;
}

/** The status of a DeletionHook. It has no time that moves: it is written when something changes. */
export interface HookStatus {
  /** Absent where the labels of Clusters decide, which no sweep reads. */
  machines?: number;
  waiting: number;
  heldUp: number;
  conditions: Condition[];
}

/** The status that the object should have. */
export function hookStatusOf(object: KubeObject, seen: SeenOfHook, now: Instant): HookStatus {
  const hook = readDeletionHook(object);
  const { waiting, heldUp, machines } = seen;
  return {
    ...(hook !== undefined && isCounted(hook) && { machines }),
    waiting,
    heldUp,
    conditions: [ownCondition(object, 'Ready', verdictOf(object, hook, seen), now)],
  };
}

const isCounted = ({ spec }: DeletionHook): boolean => spec.setBy === 'Phaseout' && !goesByCluster(spec);

function verdictOf(object: KubeObject, hook: DeletionHook | undefined, seen: SeenOfHook): Verdict {
  const unclear = unclearIn(object);
  if (hook === undefined || unclear !== undefined)
    return {
      status: 'False',
      reason: 'Unclear',
      message: `${unclear}: it holds the Machines that it may be for`,
    };
  const { spec } = hook;
  if (spec.setBy === 'Others')
    return {
      status: 'True',
      reason: 'Describes',
      message: `no function is asked: ${spec.hook} is set by others`,
    };
  const whyNot = seen.whyNot.join('; ');
  if (!seen.asks) return { status: 'False', reason: 'AsksNothing', message: `nothing is asked: ${whyNot}` };
  if (!seen.hasKey) return { status: 'False', reason: 'NoKey', message: noKey };
  const but = whyNot === '' ? '' : `, but not for all that it selects: ${whyNot}`;
  return { status: 'True', reason: 'Asks', message: `its function is asked at ${spec.at}${but}` };
}
