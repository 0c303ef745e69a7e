import * as z from 'zod';
import type { Instant } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { checkpointAnnotation, parseCheckpoint } from '../../../shared/machine/checkpoint.ts';
import type { Change } from './change.ts';

const condition = z.object({ type: z.string(), reason: z.string(), message: z.string() });
const conditions = z.object({ conditions: z.array(z.unknown()) });
const machineSchema = z.object({ status: conditions.extend({ v1beta2: conditions.optional() }) });

/** Where a Machine says that its deletion stands; undefined when it says nothing of the kind. */
export function standingOf(machine: KubeObject, now: Instant): Change | undefined {
  const { namespace, name, uid = '', annotations } = machine.metadata;
  const reading = parseCheckpoint(annotations?.[checkpointAnnotation], uid);
  if (reading.kind !== 'valid') return undefined;
  const { reason, message } = deletingCondition(machine) ?? { reason: 'Deleting', message: '' };
  const { phase } = reading.checkpoint;
  return { time: now, machine: `${namespace}/${name}`, phase, event: 'waits', reason, message };
}

function deletingCondition(machine: KubeObject): z.infer<typeof condition> | undefined {
  const { data } = machineSchema.safeParse(machine);
  const all = [...(data?.status.v1beta2?.conditions ?? []), ...(data?.status.conditions ?? [])];
  return all.flatMap((one) => condition.safeParse(one).data ?? []).find(({ type }) => type === 'Deleting');
}
