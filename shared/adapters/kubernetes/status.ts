import * as z from 'zod';

import type { Key, Resource } from '../../kubernetes/client.ts';

const statusSchema = z.looseObject({
  kind: z.literal('Status'),
  status: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().optional(),
  details: z
    .looseObject({
      name: z.string().optional(),
      kind: z.string().optional(),
      retryAfterSeconds: z.number().optional(),
    })
    .nullish(),
});

/** How the API server says what went wrong. */
export type ApiStatus = z.infer<typeof statusSchema>;

export function parseStatus(body: unknown): ApiStatus | undefined {
  const parsed = statusSchema.safeParse(body);
  return parsed.success ? parsed.data : undefined;
}

/**
 * Whether a 404 speaks of this very object. A missing CRD, version, path or namespace also answers 404, and a proxy
 * in between may; none of these says anything about the object.
 */
export function isObjectAbsent(status: ApiStatus | undefined, resource: Resource, key: Key): boolean {
  if (status?.reason !== 'NotFound' || status.details?.name !== key.name) return false;
  const kind = status.details.kind;
  return kind === undefined || kind === '' || namesResource(kind, resource);
}

/** `details.kind` is mostly the plural (`configmaps`), but some answers carry the kind (`ConfigMap`). */
function namesResource(kind: string, { plural }: Resource): boolean {
  const name = kind.toLowerCase();
  return [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')].includes(plural);
}

/** One line for people: the API's own words where there are any. */
export function describeFailure(code: number, status: ApiStatus | undefined, text: string): string {
  if (status !== undefined) return [code, status.reason, status.message].filter(Boolean).join(' ');
  const line = lineOf(text);
  return line === '' ? String(code) : `${code} ${line}`;
}

/** The API's own words alone, as peers show them. */
export const wordsOf = (status: ApiStatus | undefined, text: string): string =>
  (status === undefined ? lineOf(text) : status.message) || 'the server gave no reason';

const lineOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200);
