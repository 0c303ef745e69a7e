import * as z from 'zod';
import type { MachineRef } from '../shared/machine/machine.ts';
import type { CloudEvent } from './envelope.ts';
import { machineRef } from './machine.ts';

const nonEmpty = z.string().min(1);

/** A command or a fact, or a Machine as an ApiServerSource sends it. */
const naming = z.union([
  z.object({ machine: machineRef }).transform(({ machine }) => machine),
  z
    .object({
      apiVersion: nonEmpty,
      kind: z.literal('Machine'),
      metadata: z.object({ namespace: nonEmpty, name: nonEmpty, uid: nonEmpty }),
    })
    .transform(({ apiVersion, metadata }): MachineRef => ({ apiVersion, ...metadata })),
]);

/** The Machine that an event of whatever type is about; undefined when it names none. Never throws. */
export const namedMachine = ({ data }: Pick<CloudEvent, 'data'>): MachineRef | undefined =>
  naming.safeParse(data).data;
