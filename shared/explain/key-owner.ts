import * as z from 'zod';
import { recordAt } from '../dialects/fields.ts';
import type { KubeObject } from '../kubernetes/objects.ts';

const entries = z
  .array(
    z.object({
      manager: z.string(),
      time: z.string().optional(),
      subresource: z.string().optional(),
      fieldsV1: z.record(z.string(), z.unknown()).default({}),
    }),
  )
  .catch([]);

/** Who set a hook last, by the field manager that owns it; undefined where none does. `by`: the time of its last write (RFC 3339). */
export function keyOwner(
  { metadata }: KubeObject,
  hook: string,
): { manager: string; by: string } | undefined {
  const owner = entries.parse(metadata['managedFields']).find(({ fieldsV1 }) => owns(fieldsV1, hook));
  return owner?.time === undefined ? undefined : { manager: owner.manager, by: owner.time };
}

/** An annotation of Cluster API, or an entry of OpenShift's lists, which go by their names. */
function owns(fields: unknown, hook: string): boolean {
  if (`f:${hook}` in recordAt(fields, 'f:metadata', 'f:annotations')) return true;
  const lists = recordAt(fields, 'f:spec', 'f:lifecycleHooks');
  const key = `k:${JSON.stringify({ name: hook })}`;
  return ['f:preDrain', 'f:preTerminate'].some((list) => key in recordAt(lists, list));
}
