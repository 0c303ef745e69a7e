import * as z from 'zod';
import { type HookCall, hookPlaces } from '../shared/machine/hook-call.ts';
import type { Instant } from '../shared/time/clock.ts';
import { defineEvent } from './envelope.ts';
import { machineRef, timestamp } from './machine.ts';

/** What a Trigger of a hook function filters by. */
export const hookCallType = 'dev.phaseout.hook.call.v1';

const nonEmpty = z.string().min(1);
const instant = z.iso.datetime({ offset: true });

/** The token is opaque. It must fit into a header, in each language. */
export const answerTo = z
  .string()
  .regex(/^[\w.~-]+$/)
  .max(4_096)
  .describe('The token of the turn. An answer carries it unchanged, or it does not count.');

const hookName = z
  .string()
  .regex(/^[^/\s]+\/[^/\s]+$/)
  .describe('`namespace/name` of the DeletionHook. Its Trigger filters on it.');

/** The schema of a call. */
export const hookCallSchema = defineEvent(
  hookCallType,
  'Call: the turn of a DeletionHook has come for this Machine. Its function answers with dev.phaseout.hook.answer.v1.',
  {
    extensions: { hook: hookName, answerto: answerTo, partitionkey: nonEmpty },
    data: z.object({
      hook: hookName,
      place: z.enum(hookPlaces).describe('Before the drain, or before the server is deleted.'),
      machine: machineRef.extend({
        kind: nonEmpty,
        providerID: nonEmpty.exactOptional(),
        labels: z
          .record(z.string(), z.string())
          .describe('Those that `send.labels` of the DeletionHook names, and the Machine has.'),
      }),
      node: z
        .object({ name: nonEmpty, uid: nonEmpty })
        .exactOptional()
        .describe("The Machine's own Node, where it is known."),
      cluster: nonEmpty.exactOptional().describe("Name of the Machine's Cluster, where it has one."),
      begins: instant.describe('When the turn began. It is the same in each call of a turn.'),
      deadline: instant
        .exactOptional()
        .describe('When the time limit of the DeletionHook ends. Time while the Machine is paused moves it.'),
      attempt: z
        .int()
        .min(1)
        .describe(
          'Grows with each call of a turn, from 1; numbers may be missing. A repeat has the same number.',
        ),
      lastMessage: z.string().exactOptional().describe('What the function said last in this turn.'),
    }),
  },
);

export type HookCallEvent = z.infer<typeof hookCallSchema>;

/** The call as an event. It carries what the contract names, and nothing else that a caller holds. */
export function hookCall(call: HookCall, time: Instant): HookCallEvent {
  const { id, answerTo: token, place, begins, deadline, attempt, lastMessage, node, cluster, trace } = call;
  const { apiVersion, kind, namespace, name, uid, providerID, labels } = call.machine;
  const hook = `${call.hook.namespace}/${call.hook.name}`;
  const subject = `/apis/${apiVersion}/namespaces/${namespace}/machines/${name}`;
  return {
    specversion: '1.0',
    id,
    source: `/phaseout${subject}`,
    type: hookCallType,
    subject,
    time: timestamp(time),
    datacontenttype: 'application/json',
    ...trace,
    hook,
    answerto: token,
    partitionkey: uid,
    data: {
      hook,
      place,
      machine: { apiVersion, kind, namespace, name, uid, ...(providerID && { providerID }), labels },
      ...(node && { node: { name: node.name, uid: node.uid } }),
      ...(cluster && { cluster }),
      begins: timestamp(begins),
      ...(deadline !== undefined && { deadline: timestamp(deadline) }),
      attempt,
      ...(lastMessage !== undefined && { lastMessage }),
    },
  };
}
