import * as z from 'zod';
import { hookEndings, hookPlaces } from '../shared/machine/hook-call.ts';
import { leaving, reasonWord, refusalCause } from './enums.ts';
import { defineEvent } from './envelope.ts';
import { about, aboutExtensions, phaseName } from './machine.ts';

/** The schema of a fact, with what it carries beside what all facts do. */
const fact = <T extends string, D extends z.ZodRawShape, E extends z.ZodRawShape>(
  type: T,
  meaning: string,
  data: D,
  extensions: E,
) =>
  defineEvent(type, `Fact: ${meaning}`, {
    extensions: { ...aboutExtensions, ...extensions },
    data: z.object({ ...about, ...data }),
  });

const message = z.string();
const pod = z.object({ namespace: z.string().min(1), name: z.string().min(1), uid: z.string().min(1) });

/** What phaseout publishes for anyone who listens. */
export const factSchemas = {
  'dev.phaseout.deletion.started.v1': fact(
    'dev.phaseout.deletion.started.v1',
    'the deletion of a Machine has begun.',
    {},
    {},
  ),
  'dev.phaseout.deletion.advanced.v1': fact(
    'dev.phaseout.deletion.advanced.v1',
    'a phase was left and another one begins; `phase` and `to` are the new one.',
    {
      from: phaseName,
      to: phaseName,
      as: leaving.describe('How `from` was left: passed, or returned from to `to`, an earlier one.'),
      message,
    },
    {},
  ),
  'dev.phaseout.deletion.blocked.v1': fact(
    'dev.phaseout.deletion.blocked.v1',
    'the deletion waits for something it cannot bring about itself.',
    { reason: reasonWord, message },
    { reason: reasonWord },
  ),
  'dev.phaseout.deletion.completed.v1': fact(
    'dev.phaseout.deletion.completed.v1',
    'the finalizer is removed; phaseout has nothing left to do for the Machine.',
    {},
    {},
  ),
  'dev.phaseout.deletion.failed.v1': fact(
    'dev.phaseout.deletion.failed.v1',
    'a step failed. It is tried again; `error` is the full text.',
    { reason: reasonWord, message, error: z.string() },
    { reason: reasonWord },
  ),
  'dev.phaseout.hook.waiting.v1': fact(
    'dev.phaseout.hook.waiting.v1',
    'the deletion waits until these hooks are removed by their owners.',
    {
      point: z.enum(['pre-drain', 'pre-terminate']),
      hooks: z.array(z.string()).min(1),
      owners: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'Owner of each hook, by the name of the hook, if the Machine names one. The owner removes the hook.',
        ),
    },
    {},
  ),
  'dev.phaseout.hook.late.v1': fact(
    'dev.phaseout.hook.late.v1',
    "the deletion began before phaseout's hook was on the Machine. The API's own controller drains it.",
    { message },
    {},
  ),
  'dev.phaseout.hook.ended.v1': fact(
    'dev.phaseout.hook.ended.v1',
    'the turn of a DeletionHook has ended: the Machine no longer waits for it.',
    {
      hook: z.string().min(1).describe('`namespace/name` of the DeletionHook.'),
      place: z.enum(hookPlaces),
      as: z
        .enum(hookEndings)
        .describe(
          'Done by its function; Proceeded by its onTimeout; Passed by a person; Bypassed as the API goes past hooks.',
        ),
      message,
    },
    { hook: z.string().min(1) },
  ),
  'dev.phaseout.pod.evicted.v1': fact(
    'dev.phaseout.pod.evicted.v1',
    'the API accepted the eviction of this Pod.',
    { pod },
    {},
  ),
  'dev.phaseout.pod.refused.v1': fact(
    'dev.phaseout.pod.refused.v1',
    'the API refused the eviction of this Pod. It is tried again.',
    {
      pod,
      cause: refusalCause,
      message: z.string().describe("The API's own words."),
      budget: z.string().describe('Name of the PodDisruptionBudget, where it is known.').exactOptional(),
      explanation: z
        .string()
        .describe('The owners of the budget and the Pod, or why the budget cannot be computed.')
        .exactOptional(),
    },
    { cause: refusalCause },
  ),
  'dev.phaseout.pod.unblocked.v1': fact(
    'dev.phaseout.pod.unblocked.v1',
    'a DrainPolicy has had something done about a Pod that was not let go.',
    {
      pod,
      action: z
        .enum(['RolloutRestart', 'Delete'])
        .describe('Its Deployment was restarted, or it was deleted past its budget.'),
      policy: z.string().describe('Name of the DrainPolicy, in the namespace of the Machine.'),
      cause: refusalCause,
      since: z.string().describe('Since when the cause has lasted.'),
      message,
      deployment: z.string().describe('Name of the Deployment that was restarted.').exactOptional(),
    },
    { cause: refusalCause },
  ),
};
