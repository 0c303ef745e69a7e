import * as z from 'zod';
import type { Advance } from '../shared/machine/messages.ts';
import type { Instant } from '../shared/time/clock.ts';
import { defineEvent } from './envelope.ts';
import { about, aboutExtensions, attributes, timestamp, toData } from './machine.ts';

const advanceType = 'dev.phaseout.deletion.advance.v1';

export const advanceSchema = defineEvent(advanceType, 'Command: run the next step of this phase.', {
  extensions: aboutExtensions,
  data: z.object({
    ...about,
    resourceVersion: z
      .string()
      .min(1)
      .describe(
        "The Machine's version when this was said; a function that has just seen it need not read it again.",
      )
      .exactOptional(),
  }),
});

export type AdvanceEvent = z.infer<typeof advanceSchema>;

/** The command as an event. The id is that of its checkpoint, so that a repeat shows. */
export function advance(command: Advance, time: Instant): AdvanceEvent {
  const { resourceVersion, trace } = command;
  return {
    ...attributes(command),
    ...trace,
    type: advanceType,
    time: timestamp(time),
    data: { ...toData(command), ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  };
}
