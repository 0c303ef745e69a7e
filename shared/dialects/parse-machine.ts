import * as z from 'zod';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import { MachineUnreadable } from './dialect.ts';

const name = z.string().min(1);
const texts = z.record(z.string(), z.string()).default({});

/** What Kubernetes itself keeps of a Machine, of whichever API. */
export const metadataSchema = z.object({
  name,
  namespace: name,
  uid: name,
  resourceVersion: z.string().default(''),
  generation: z.int().default(0),
  labels: texts,
  annotations: texts,
  finalizers: z.array(z.string()).default([]),
  deletionTimestamp: z.iso.datetime().optional(),
});

type Kept = Pick<
  Machine,
  'ref' | 'resourceVersion' | 'generation' | 'labels' | 'annotations' | 'finalizers' | 'deletionTimestamp'
>;

/** The part of a Machine that is the same in every API. */
export function fromMetadata(
  metadata: z.infer<typeof metadataSchema>,
  { apiVersion = '' }: KubeObject,
): Kept {
  const { namespace, name: named, uid, deletionTimestamp, ...others } = metadata;
  return {
    ref: { apiVersion, namespace, name: named, uid },
    ...others,
    ...(deletionTimestamp ? { deletionTimestamp: Date.parse(deletionTimestamp) } : {}),
  };
}

/** What the schema finds in the Machine; none is for a version that is not known. Throws a MachineUnreadable. */
export function parsedMachine<S extends z.ZodType>(schema: S | undefined, raw: KubeObject): z.output<S> {
  if (schema === undefined) {
    throw unreadable(raw, `apiVersion: ${JSON.stringify(raw.apiVersion ?? '')} is not supported`);
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unreadable(raw, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}

function unreadable({ metadata }: KubeObject, why: string): MachineUnreadable {
  return new MachineUnreadable(`Machine ${metadata.namespace ?? ''}/${metadata.name} cannot be read: ${why}`);
}
