import * as z from 'zod';
import type { KubeObject } from '../../local/kubernetes/objects/cluster.ts';
import { kubeObject } from '../../local/kubernetes/objects/kube-object.ts';
import { at, isObject, type JsonObject } from '../../local/kubernetes/server/json.ts';
import { noText } from './held.ts';
import { writtenTime } from './times.ts';
import { ManifestUnreadable } from './unreadable.ts';

const text = z.string({ error: ({ input }) => (input === undefined ? 'is missing' : noText(input)) });
const map = {
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : 'must be a map'),
};
const named = text.min(1);
const texts = z.record(z.string(), text, map);
const list = { error: 'must be a list' };
const count = z.int({ error: 'must be a whole number' });
const time = text.refine((written) => writtenTime(written, '') !== undefined, {
  error: 'must be a time of RFC 3339, such as 2026-11-28T05:00:00Z',
});

/** What all kinds have, and what no API server takes in another form. */
const metadataSchema = z.looseObject(
  {
    name: named,
    generateName: text.optional(),
    namespace: text.optional(),
    uid: text.optional(),
    resourceVersion: text.optional(),
    generation: count.optional(),
    creationTimestamp: time.optional(),
    deletionTimestamp: time.optional(),
    deletionGracePeriodSeconds: count.optional(),
    labels: texts.optional(),
    annotations: texts.optional(),
    finalizers: z.array(text, list).optional(),
    ownerReferences: z
      .array(z.looseObject({ apiVersion: text, kind: text, name: text, uid: text }, map), list)
      .optional(),
  },
  map,
);

const objectSchema = z.looseObject({ apiVersion: named, kind: named, metadata: metadataSchema });

/** The object, once what all kinds have is as it must be. Throws ManifestUnreadable. */
export function envelopeOf(held: JsonObject, from: string): KubeObject {
  const parsed = objectSchema.safeParse(held);
  if (parsed.success) return kubeObject(held);
  throw new ManifestUnreadable(`${from}: ${whatIsWrong(parsed.error.issues[0], held)}`);
}

/** `metadata.name: is missing (a generateName is not enough)`. */
function whatIsWrong(issue: z.core.$ZodIssue | undefined, held: JsonObject): string {
  const path = (issue?.path ?? []).map(String).join('.');
  const isGenerated = path === 'metadata.name' && at(held, 'metadata', 'generateName') !== undefined;
  return `${path}: ${issue?.message}${isGenerated ? ' (a generateName is not enough)' : ''}`;
}

type List = JsonObject & { kind: string; items?: unknown[] | null };

/** Several objects in one. A `List` of none may leave its items out. */
export function isList(value: unknown): value is List {
  if (!isObject(value) || typeof value.kind !== 'string' || !value.kind.endsWith('List')) return false;
  return Array.isArray(value.items) || (value.kind === 'List' ? !value.items : value.items === null);
}

/** Those of `PodList` are Pods, and may leave that out. */
export function itemsOf({ kind, apiVersion, items }: List): unknown[] {
  const ofItems = kind.slice(0, -'List'.length);
  if (ofItems === '') return items ?? [];
  return (items ?? []).map((item) => (isObject(item) ? { apiVersion, kind: ofItems, ...item } : item));
}
