import * as z from 'zod';
import type { ObjectRef } from '../../machine/machine.ts';

const name = z.string().min(1);

/** A reference of either version: v1beta1 carries an apiVersion and perhaps a namespace, v1beta2 an apiGroup. */
export const reference = z
  .object({
    apiGroup: name.optional(),
    apiVersion: name.optional(),
    kind: name,
    name,
    namespace: z.string().optional(),
  })
  .refine((ref) => ref.apiGroup !== undefined || ref.apiVersion !== undefined, {
    error: 'neither apiGroup nor apiVersion is set',
  });

export type Reference = z.infer<typeof reference>;

/** A reference without a namespace means the namespace of the object that carries it. */
export function toObjectRef(ref: Reference, namespace: string): ObjectRef {
  const place = { kind: ref.kind, namespace: ref.namespace || namespace, name: ref.name };
  if (ref.apiGroup !== undefined) return { group: ref.apiGroup, ...place };
  const [version = '', group = ''] = (ref.apiVersion ?? '').split('/').toReversed();
  return { group, version, ...place };
}
