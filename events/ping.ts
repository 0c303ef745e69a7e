import * as z from 'zod';
import type { Instant } from '../shared/time/clock.ts';
import { defineEvent } from './envelope.ts';
import { timestamp } from './machine.ts';

export const pingSchema = defineEvent('dev.knative.sources.ping', 'In: time to sweep.', {
  extensions: {},
  data: z.object({
    sweep: z
      .enum(['due', 'all'])
      .describe(
        '`due`: the Machines with a due requeue; `all`: every Machine, to find changes that no event told.',
      ),
  }),
});

export type PingEvent = z.infer<typeof pingSchema>;

/** What a PingSource sends. `id` is new for every tick. */
export function ping(
  sweep: 'due' | 'all',
  { id, source, time }: { id: string; source: string; time: Instant },
): PingEvent {
  return {
    specversion: '1.0',
    id,
    source,
    type: 'dev.knative.sources.ping',
    time: timestamp(time),
    datacontenttype: 'application/json',
    data: { sweep },
  };
}
