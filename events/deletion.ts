import * as z from 'zod';
import type { Fact } from '../shared/machine/messages.ts';
import type { Instant } from '../shared/time/clock.ts';
import { leaving, reasonWord } from './enums.ts';
import { defineEvent } from './envelope.ts';
import { about, aboutExtensions, attributes, digest, phaseName, timestamp, toData } from './machine.ts';

export const startedSchema = defineEvent(
  'dev.phaseout.deletion.started.v1',
  'Fact: the deletion of a Machine has begun.',
  { extensions: aboutExtensions, data: z.object(about) },
);

export const advancedSchema = defineEvent(
  'dev.phaseout.deletion.advanced.v1',
  'Fact: a phase was left and another one begins; `phase` and `to` are the new one.',
  {
    extensions: aboutExtensions,
    data: z.object({
      ...about,
      from: phaseName,
      to: phaseName,
      as: leaving.describe('How `from` was left: passed, or returned from to `to`, an earlier one.'),
      message: z.string(),
    }),
  },
);

export const blockedSchema = defineEvent(
  'dev.phaseout.deletion.blocked.v1',
  'Fact: the deletion waits for something it cannot bring about itself.',
  {
    extensions: { ...aboutExtensions, reason: reasonWord },
    data: z.object({ ...about, reason: reasonWord, message: z.string() }),
  },
);

export const failedSchema = defineEvent(
  'dev.phaseout.deletion.failed.v1',
  'Fact: a step failed. It is tried again; `error` is the full text.',
  {
    extensions: { ...aboutExtensions, reason: reasonWord },
    data: z.object({ ...about, reason: reasonWord, message: z.string(), error: z.string() }),
  },
);

export const completedSchema = defineEvent(
  'dev.phaseout.deletion.completed.v1',
  'Fact: the finalizer is removed; phaseout has nothing left to do for the Machine.',
  { extensions: aboutExtensions, data: z.object(about) },
);

type Said<K extends Fact['kind']> = Fact & { kind: K };

export function started(fact: Said<'started'>, time: Instant): z.infer<typeof startedSchema> {
  return {
    ...attributes(fact, 'started'),
    type: 'dev.phaseout.deletion.started.v1',
    time: timestamp(time),
    data: toData(fact),
  };
}

export function advanced(fact: Said<'advanced'>, time: Instant): z.infer<typeof advancedSchema> {
  const { from, as, message, phase, isFollowed } = fact;
  // No checkpoint counts what others do: what they come to tells one from the next.
  const told = isFollowed ? [digest(from, as, message)] : [];
  return {
    ...attributes(fact, 'advanced', ...told),
    type: 'dev.phaseout.deletion.advanced.v1',
    time: timestamp(time),
    data: { ...toData(fact), from, to: phase, as, message },
  };
}

export function blocked(fact: Said<'blocked'>, time: Instant): z.infer<typeof blockedSchema> {
  const { reason, message } = fact;
  return {
    ...attributes(fact, 'blocked', digest(reason, message)),
    type: 'dev.phaseout.deletion.blocked.v1',
    time: timestamp(time),
    reason,
    data: { ...toData(fact), reason, message },
  };
}

export function failed(fact: Said<'failed'>, time: Instant): z.infer<typeof failedSchema> {
  const { reason, message, error } = fact;
  return {
    ...attributes(fact, 'failed', digest(reason, message, error)),
    type: 'dev.phaseout.deletion.failed.v1',
    time: timestamp(time),
    reason,
    data: { ...toData(fact), reason, message, error },
  };
}

export function completed(fact: Said<'completed'>, time: Instant): z.infer<typeof completedSchema> {
  return {
    ...attributes(fact, 'completed'),
    type: 'dev.phaseout.deletion.completed.v1',
    time: timestamp(time),
    data: toData(fact),
  };
}
