import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';

const file = readFileSync(new URL('../../golden/capi/00-running.yaml', import.meta.url), 'utf8');
/** The recorded Machine and its Node, as JSON. */
const running = JSON.stringify(
  parseAllDocuments(file)
    .map((document): KubeObject | null => document.toJSON())
    .filter((object) => object !== null),
);
export const nodeNameOf = (machine: string): string => machine.replace(/^worker-/, 'node-');

/** The recorded Machine and its Node, under other names. */
export function recordedAs(name: string): KubeObject[] {
  const renamed = running
    .replaceAll('peer://g-run-yam8', `peer://${name}`)
    .replaceAll('"nodeRef":{"name":"g-run-yam8"', `"nodeRef":{"name":"${nodeNameOf(name)}"`)
    .replaceAll('g-run-yam8', name);
  return z.array(z.custom<KubeObject>()).parse(JSON.parse(renamed));
}

/** Objects laid over objects, as a merge patch would. */
export function merge(under: object, over: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...under };
  for (const [field, value] of Object.entries(over)) {
    if (value === null) delete merged[field];
    else if (isPlain(value) && isPlain(merged[field])) merged[field] = merge(merged[field], value);
    else merged[field] = value;
  }
  return merged;
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
