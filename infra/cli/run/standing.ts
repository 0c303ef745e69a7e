import * as z from 'zod';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { checkpointAnnotation, parseCheckpoint } from '../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../shared/machine/phase.ts';

/** What a Machine waits for, in its own words. */
export interface Standing {
  event: 'waits';
  phase: Phase;
  reason: string;
  message: string;
}

const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().default(''),
  message: z.string().default(''),
});
const conditions = z.object({ conditions: z.array(z.unknown()) });
const machineSchema = z.object({
  status: conditions.partial().extend({ v1beta2: conditions.optional() }),
});

/** The conditions in which OpenShift's Machines tell of a phase, where Cluster API's have one for all. */
const openShiftConditions: Partial<Record<Phase, string>> = {
  'pre-drain': 'Drainable',
  drain: 'Drained',
  'pre-terminate': 'Terminable',
};

/** Where a Machine says that its deletion stands; undefined when it says nothing of the kind. */
export function standingOf(machine: KubeObject): Standing | undefined {
  const { uid = '', annotations } = machine.metadata;
  const reading = parseCheckpoint(annotations?.[checkpointAnnotation], uid);
  if (reading.kind !== 'valid') return undefined;
  const { phase } = reading.checkpoint;
  const all = conditionsOf(machine);
  const told =
    all.find(({ type }) => type === 'Deleting') ??
    all.find(({ type, status }) => type === openShiftConditions[phase] && status === 'False');
  return { event: 'waits', phase, reason: told?.reason ?? 'Deleting', message: told?.message ?? '' };
}

function conditionsOf(machine: KubeObject): z.infer<typeof condition>[] {
  const { data } = machineSchema.safeParse(machine);
  const all = [...(data?.status.v1beta2?.conditions ?? []), ...(data?.status.conditions ?? [])];
  return all.flatMap((one) => condition.safeParse(one).data ?? []);
}
