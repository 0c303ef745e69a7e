import type { Cause } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import { badRequest, failure, forbidden, internal, invalid, unsupported } from '../objects/status.ts';

export type Query = Readonly<Record<string, string>>;

const field = 'resourceVersionMatch';

const notRead = (text: string) => `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;

/** Throws ApiError for options that are malformed, contradict one another, or ask for a past or future version. */
export function refuseListOptions(api: Api, query: Query): void {
  const { resourceVersion, limit = '0' } = query;
  readInteger(limit);
  const causes = causesOf(query);
  if (causes.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', causes);
  if (query.continue && resourceVersion && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (!resourceVersion) return;
  if (!/^\d+$/.test(resourceVersion))
    throw badRequest(`invalid resource version: ${notRead(resourceVersion)}`);
  refuseFuture(api, resourceVersion);
  if (query.resourceVersionMatch === 'Exact') refuseForgotten(api, Number(resourceVersion));
}

function causesOf({ sendInitialEvents, resourceVersion, resourceVersionMatch }: Query): Cause[] {
  const causes: Cause[] = [];
  if (resourceVersionMatch && !resourceVersion) {
    causes.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    causes.push(forbidden(field, 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"'));
  }
  if (resourceVersionMatch && resourceVersion && !['Exact', 'NotOlderThan'].includes(resourceVersionMatch)) {
    causes.push(unsupported(field, resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
  }
  if (sendInitialEvents !== undefined) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return causes;
}

/** Does not wait for a future version: answers at once as a real API server does after its wait. */
export function refuseFuture(api: Api, resourceVersion: string | undefined): void {
  const wanted = Number(resourceVersion ?? 0);
  if (!(wanted > api.store.version)) return;
  const message = `Too large resource version: ${wanted}, current: ${api.store.version}`;
  throw failure(504, 'Timeout', `Timeout: ${message}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

function refuseForgotten(api: Api, wanted: number): void {
  if (wanted >= api.store.forgottenUpTo) return;
  throw failure(410, 'Expired', `The resourceVersion for the provided list is too old.`);
}

/** The resourceVersion that a watch begins after. Throws ApiError 500 for one that is no number. */
export function readVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw internal(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${notRead(text)}`);
}

/** Throws ApiError 400 for what is no whole number. */
export function readInteger(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}
