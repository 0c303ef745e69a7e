import * as z from 'zod';
import { askAndRead, asksToTryLater, couldNotLook, isSuccess, type ReadAnswer } from './read-response.ts';
import type { ApiRequest, Transport } from './request.ts';

/** What a good answer carries. Throws Unavailable for any other. */
export function parsed<T>(
  schema: z.ZodType<T>,
  transport: Transport,
  request: ApiRequest,
  answer: ReadAnswer,
): T {
  const reading = schema.safeParse(answer.body);
  if (!isSuccess(answer) || !reading.success) throw couldNotLook(transport, request, answer);
  return reading.data;
}

/** A request for what the API serves. */
export function discoveryRequest(path: string): ApiRequest {
  return { method: 'GET', verb: 'get', address: { path, label: path, resource: path } };
}

/** Plural by kind. */
export type Plurals = ReadonlyMap<string, string>;
/** By version, the preferred one first. */
export type ServedGroup = ReadonlyMap<string, Plurals>;
/** By name of the group, without the core group. */
export type Overview = ReadonlyMap<string, ServedGroup>;

/** One answer for all groups, of servers since Kubernetes 1.30. */
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const overviewSchema = z.object({
  kind: z.literal('APIGroupDiscoveryList'),
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      versions: z.array(
        z.object({
          version: z.string(),
          /** `Stale` where the server behind an aggregated API did not answer. */
          freshness: z.string().optional(),
          resources: z
            .array(
              z.object({
                resource: z.string(),
                responseKind: z.object({ kind: z.string() }).nullish(),
              }),
            )
            .optional(),
        }),
      ),
    }),
  ),
});

/**
 * Asks which kinds the groups serve, all at once. The overview is empty where a server gives none. A missing group or
 * kind is not proven to be absent, and is asked for by itself. Throws Unavailable.
 */
export async function readOverview(transport: Transport): Promise<Overview> {
  const request = { ...discoveryRequest('/apis'), accept: `${aggregated},application/json` };
  const answer = await askAndRead(transport, request);
  if (asksToTryLater(answer)) throw couldNotLook(transport, request, answer);
  const overview = overviewSchema.safeParse(answer.body);
  if (!isSuccess(answer) || !overview.success) return new Map();
  const current = overview.data.items.filter(({ versions }) =>
    versions.every(({ freshness }) => freshness !== 'Stale'),
  );
  return new Map(
    current.map(({ metadata, versions }) => [
      metadata.name,
      new Map(versions.map(({ version, resources = [] }) => [version, pluralsIn(resources)])),
    ]),
  );
}

interface ServedResource {
  resource: string;
  responseKind?: { kind: string } | null | undefined;
}

function pluralsIn(resources: readonly ServedResource[]): Plurals {
  const kinds = resources.flatMap(({ resource, responseKind }) =>
    responseKind ? [[responseKind.kind, resource] as const] : [],
  );
  return new Map(kinds);
}
