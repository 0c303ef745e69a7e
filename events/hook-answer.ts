import * as z from 'zod';
import { type HookAnswer, hookStates } from '../shared/machine/hook-call.ts';
import type { Instant } from '../shared/time/clock.ts';
import { defineEvent } from './envelope.ts';
import { answerTo } from './hook-call.ts';
import { timestamp } from './machine.ts';

/** The `type` of an answer. */
export const hookAnswerType = 'dev.phaseout.hook.answer.v1';

/** As much as a condition, an Event and a chat message can show. */
export const maxMessageBytes = 1_024;

/** Seconds. A function that asks for more than an hour would seem silent. */
export const retryAfterRange = { min: 1, max: 3_600 } as const;

/** The schema of what a function has to send. `readHookAnswer` reads what it did send. */
export const hookAnswerSchema = defineEvent(
  hookAnswerType,
  'Answer: what the function of a DeletionHook says of its work for this Machine. Only `Done` lets it pass.',
  {
    extensions: { answerto: answerTo },
    data: z.object({
      state: z
        .enum(hookStates)
        .describe(
          '`Done` ends the turn. `Working` and `Failed` hold the Machine; the function is asked again.',
        ),
      message: z
        .string()
        .max(maxMessageBytes)
        .exactOptional()
        .describe('Text for people, at most 1024 bytes of UTF-8.'),
      retryAfter: z
        .int()
        .min(retryAfterRange.min)
        .max(retryAfterRange.max)
        .exactOptional()
        .describe(
          'The next call comes no sooner than after so many whole seconds. Without it, `every` of the DeletionHook says when.',
        ),
    }),
  },
);

type HookAnswerEvent = z.infer<typeof hookAnswerSchema>;

/** The answer as an event. `id`, `source` and `time` are the function's. */
export function hookAnswer(
  { answerTo: token, state, message, retryAfterSeconds }: HookAnswer,
  { id, source, time }: { id: string; source: string; time: Instant },
): HookAnswerEvent {
  return {
    specversion: '1.0',
    id,
    source,
    type: hookAnswerType,
    time: timestamp(time),
    datacontenttype: 'application/json',
    answerto: token,
    data: {
      state,
      ...(message !== undefined && { message }),
      ...(retryAfterSeconds !== undefined && { retryAfter: retryAfterSeconds }),
    },
  };
}
