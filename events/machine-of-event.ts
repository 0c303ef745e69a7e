import * as z from 'zod';
import type { MachineRef } from '../shared/machine/machine.ts';
import { type TraceContext, traceAnnotation, traceContext } from '../shared/machine/trace-context.ts';
import type { CloudEvent } from './envelope.ts';
import { machineRef, machineUid, objectName } from './machine.ts';

/** A command or a fact, or a Machine as an ApiServerSource sends it. */
const naming = z.union([
  z.object({ machine: machineRef }).transform(({ machine }) => machine),
  z
    .object({
      apiVersion: objectName,
      kind: z.literal('Machine'),
      metadata: z.object({ namespace: objectName, name: objectName, uid: machineUid }),
    })
    .transform(({ apiVersion, metadata }): MachineRef => ({ apiVersion, ...metadata })),
]);

/** The Machine that an event of any type is about; undefined when it names none. Never throws. */
export const namedMachine = ({ data }: Pick<CloudEvent, 'data'>): MachineRef | undefined =>
  naming.safeParse(data).data;

const traced = z.object({
  metadata: z.object({ annotations: z.object({ [traceAnnotation]: z.string() }) }),
});

/** The trace that an event carries: its own, or the trace of the deletion of the Machine in it. */
export function namedTrace({ traceparent, tracestate, data }: CloudEvent): TraceContext | undefined {
  const own = traceContext(textOf(traceparent), textOf(tracestate));
  return own ?? traceContext(traced.safeParse(data).data?.metadata.annotations[traceAnnotation]);
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
