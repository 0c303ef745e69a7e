import { listOf } from '../text/truncate.ts';
import { rfc3339Seconds } from '../time/clock.ts';
import type { PlaceWait } from './choose.ts';

const maxNames = 3;

/** What a Machine waits for. It has no time that moves: a condition is written only when words change. */
export function waitText(wait: PlaceWait): string {
  const waiting = `Waiting for DrainPolicy ${wait.policy}`;
  if (wait.kind === 'window')
    return wait.opensAt === undefined
      ? `${waiting}: none of its windows opens within 366 days`
      : `${waiting}: its next window opens at ${rfc3339Seconds(wait.opensAt)}`;
  const parts = [
    ['begun', wait.begun.map(({ name }) => name)],
    ['not Ready', wait.ailing],
    ['before it', wait.ahead],
  ] as const;
  const told = parts.flatMap(([what, names]) =>
    names.length === 0 ? [] : [`${what}: ${listOf(names, maxNames)}`],
  );
  return [`${waiting}: at most ${wait.limit} at once`, ...told].join('; ');
}

/** The name of the DrainPolicy that a Machine waits for, as its message says it. */
export const policyIn = (message: string): string | undefined => /DrainPolicy (\S+?):? /.exec(message)?.[1];

/** Whether a wait for a DrainPolicy only ends once somebody changes that. It cannot be read, or never opens. */
export const mustBeCorrected = (message: string): boolean =>
  /cannot be read|^invalid selectors|none of its windows/.test(message);
