import * as z from 'zod';
import type { Fact } from '../shared/machine/messages.ts';
import type { Instant } from '../shared/time/clock.ts';
import { defineEvent } from './envelope.ts';
import { about, aboutExtensions, attributes, digest, timestamp, toData } from './machine.ts';

export const hookWaitingSchema = defineEvent(
  'dev.phaseout.hook.waiting.v1',
  'Fact: the deletion waits until these hooks are removed by their owners.',
  {
    extensions: aboutExtensions,
    data: z.object({
      ...about,
      point: z.enum(['pre-drain', 'pre-terminate']),
      hooks: z.array(z.string()).min(1),
      owners: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'Owner of each hook, by the name of the hook, if the Machine names one. The owner removes the hook.',
        ),
    }),
  },
);

/** One event for each set of hooks and owners that the deletion waits for. The order of the list does not matter. */
export function hookWaiting(
  fact: Fact & { kind: 'hook-waiting' },
  time: Instant,
): z.infer<typeof hookWaitingSchema> {
  const { point } = fact;
  const hooks = fact.hooks.toSorted();
  const owned = hooks.flatMap((name) => {
    const owner = fact.owners[name];
    return owner === undefined ? [] : [[name, owner] as const];
  });
  return {
    ...attributes(fact, 'hook-waiting', digest(point, ...hooks, ...owned.flat())),
    type: 'dev.phaseout.hook.waiting.v1',
    time: timestamp(time),
    data: {
      ...toData(fact),
      point,
      hooks,
      ...(owned.length > 0 && { owners: Object.fromEntries(owned) }),
    },
  };
}

export const hookLateSchema = defineEvent(
  'dev.phaseout.hook.late.v1',
  "Fact: the deletion began before phaseout's hook was on the Machine. The API's own controller drains it.",
  { extensions: aboutExtensions, data: z.object({ ...about, message: z.string() }) },
);

/** One event for each deletion. */
export const hookLate = (
  fact: Fact & { kind: 'hook-late' },
  time: Instant,
): z.infer<typeof hookLateSchema> => ({
  ...attributes(fact, 'hook-late'),
  type: 'dev.phaseout.hook.late.v1',
  time: timestamp(time),
  data: { ...toData(fact), message: fact.message },
});
