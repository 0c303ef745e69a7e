import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import type { Machine } from '../../../../../infra/local/controllers/machines/apis.ts';

const condition = z.object({
  type: z.string(),
  status: z.string(),
  severity: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});
const list = z.array(condition);
const recordedMachine = z.object({
  kind: z.literal('Machine'),
  status: z.object({
    phase: z.string(),
    deletion: z.record(z.string(), z.string()).optional(),
    conditions: list,
    deprecated: z.object({ v1beta1: z.object({ conditions: list }) }),
  }),
});

/** What the real controller had said of the Machine of a recording. */
export function recordedSaid(file: string) {
  const text = readFileSync(new URL(`../../../../golden/${file}.yaml`, import.meta.url), 'utf8');
  const objects = parseAllDocuments(text).map((document): unknown => document.toJSON());
  const [status] = objects.flatMap((object) => recordedMachine.safeParse(object).data?.status ?? []);
  if (status === undefined) throw new Error(`${file} has no Machine`);
  return {
    phase: status.phase,
    times: Object.keys(status.deletion ?? {}).toSorted(),
    v1beta2: timeless(status.conditions),
    v1beta1: timeless(status.deprecated.v1beta1.conditions),
  };
}

/** The status that the peer writes on a Machine. It leaves times out, since a recording and a test differ in them. */
export function said({ apiVersion, status }: Machine) {
  const isOld = apiVersion?.endsWith('/v1beta1') === true;
  const current = isOld ? status?.v1beta2?.conditions : status?.conditions;
  const old = isOld ? status?.conditions : status?.deprecated?.v1beta1?.conditions;
  return {
    phase: status?.phase,
    times: Object.keys(status?.deletion ?? {}).toSorted(),
    v1beta2: timeless(current),
    v1beta1: timeless(old),
  };
}

const timeless = (conditions: z.infer<typeof list> = []): Record<string, string> =>
  Object.fromEntries(
    conditions
      .map(({ type, status, reason = '', severity = '', message = '' }): [string, string] => [
        type,
        [status, reason, severity, message.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME')]
          .filter((part) => part !== '')
          .join(' '),
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
