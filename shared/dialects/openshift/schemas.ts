import * as z from 'zod';
import { metadataSchema as metadata } from '../parse-machine.ts';

export const group = 'machine.openshift.io';
export const apiVersion = `${group}/v1beta1`;

/** The API demands both fields; a hook that lacks one still holds. */
const hook = z.object({ name: z.string().default(''), owner: z.string().default('') });
const hookList = z
  .array(hook)
  .nullish()
  .transform((hooks) => hooks ?? []);

export type Hook = z.infer<typeof hook>;

/** Absent lists are empty; what is no list of hooks is an error, because a hook must never be overlooked. */
export const lifecycleHooks = z
  .object({ preDrain: hookList, preTerminate: hookList })
  .nullish()
  .transform((lists) => lists ?? { preDrain: [], preTerminate: [] });

const nodeRef = z.object({ name: z.string().optional(), uid: z.string().optional() });

/** What is read of a Machine. That its cluster label or providerSpec is missing is for the validation to say. */
export const machineSchema = z.object({
  metadata,
  spec: z
    .object({ providerID: z.string().nullish(), lifecycleHooks })
    .default({ lifecycleHooks: { preDrain: [], preTerminate: [] } }),
  status: z.object({ nodeRef: nodeRef.nullish() }).default({}),
});
