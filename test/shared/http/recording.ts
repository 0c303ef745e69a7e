import { readFileSync } from 'node:fs';
import * as z from 'zod';

const recording = z.object({ headers: z.array(z.tuple([z.string(), z.string()])), bodyRaw: z.string() });

/** A request as a real source or broker sent it, header names in lower case as Node gives them. */
export function recorded(path: string): { headers: Record<string, string>; body: Uint8Array } {
  const file = new URL(`../../golden/knative/${path}.json`, import.meta.url);
  const { headers, bodyRaw } = recording.parse(JSON.parse(readFileSync(file, 'utf8')));
  const entries = headers.map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(entries), body: new TextEncoder().encode(bodyRaw) };
}
