import type { HookRecord } from '../machine/hook-record.ts';
import type { Instant } from '../time/clock.ts';
import type { Asked } from './asked.ts';
import { callsSince, heardAt, recordOf } from './times.ts';

/** Why nothing is heard of a function. `cause` tells one from another: the words of one stay as they are. */
export type Silence = NonNullable<Asked['silence']>;

interface Known {
  records: readonly HookRecord[];
  /** Names of those that no Trigger delivers the calls of. */
  undelivered?: readonly string[];
  now: Instant;
}

/** What is known of a silence: what became of the last call. Without that only that nothing came back, and no guess. */
export function silenceOf(asked: Asked, known: Known): Silence {
  const heard = heardAt(asked, known);
  const givenUp = recordOf(asked, known)?.givenUp;
  if (givenUp !== undefined && givenUp.at > heard) {
    const { status } = givenUp;
    return status === undefined
      ? { cause: 'given-up', text: 'the Broker gives its calls up, and nothing comes back' }
      : { cause: `answers-${status}`, text: `the function answers ${status}` };
  }
  if (known.undelivered?.includes(asked.name) === true)
    return { cause: 'undelivered', text: "no Trigger of phaseout's namespace delivers its calls" };
  // The words do not change with each call: they tell of the time when the silence began.
  const began = asked.silentSince === undefined ? known.now : Date.parse(asked.silentSince);
  const calls = callsSince(asked, heard, began);
  return {
    cause: 'unanswered',
    text: `nothing had answered ${calls === 1 ? '1 call' : `${calls} calls`} by then`,
  };
}
