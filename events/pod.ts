import * as z from 'zod';
import type { Fact } from '../shared/machine/messages.ts';
import type { Instant } from '../shared/time/clock.ts';
import { refusalCause } from './enums.ts';
import { defineEvent } from './envelope.ts';
import { about, aboutExtensions, attributes, digest, timestamp, toData } from './machine.ts';

const pod = z.object({ namespace: z.string().min(1), name: z.string().min(1), uid: z.string().min(1) });

export const podEvictedSchema = defineEvent(
  'dev.phaseout.pod.evicted.v1',
  'Fact: the API accepted the eviction of this Pod.',
  { extensions: aboutExtensions, data: z.object({ ...about, pod }) },
);

export const podRefusedSchema = defineEvent(
  'dev.phaseout.pod.refused.v1',
  'Fact: the API refused the eviction of this Pod. It is tried again.',
  {
    extensions: { ...aboutExtensions, cause: refusalCause },
    data: z.object({
      ...about,
      pod,
      cause: refusalCause,
      message: z.string().describe("The API's own words."),
      budget: z.string().describe('Name of the PodDisruptionBudget, where it is known.').exactOptional(),
      explanation: z
        .string()
        .describe('The owners of the budget and the Pod, or why the budget cannot be computed.')
        .exactOptional(),
    }),
  },
);

export function podEvicted(
  fact: Fact & { kind: 'pod-evicted' },
  time: Instant,
): z.infer<typeof podEvictedSchema> {
  const { namespace, name, uid } = fact.pod;
  return {
    ...attributes(fact, 'pod-evicted', uid),
    type: 'dev.phaseout.pod.evicted.v1',
    time: timestamp(time),
    data: { ...toData(fact), pod: { namespace, name, uid } },
  };
}

export function podRefused(
  fact: Fact & { kind: 'pod-refused' },
  time: Instant,
): z.infer<typeof podRefusedSchema> {
  const { cause, text, budget, explanation } = fact;
  const { namespace, name, uid } = fact.pod;
  return {
    ...attributes(fact, 'pod-refused', uid, digest(cause, text, budget ?? '')),
    type: 'dev.phaseout.pod.refused.v1',
    time: timestamp(time),
    cause,
    data: {
      ...toData(fact),
      pod: { namespace, name, uid },
      cause,
      message: text,
      ...(budget === undefined ? {} : { budget }),
      ...(explanation === undefined ? {} : { explanation }),
    },
  };
}
