import { objectKey } from '../discovery/resource.ts';
import { ApiError, type KubeObject } from '../objects/cluster.ts';
import { badRequest } from '../objects/status.ts';
import type { Target } from '../objects/target.ts';
import { numberAt, textAt } from '../server/json.ts';

/** Where a list goes on: after which key, and at what version (negative: now). */
export interface Token {
  readonly version: number;
  readonly after: string;
}

/** The key of an object below the path that is listed. */
export function keyWithin({ namespace }: Target, { metadata }: KubeObject): string {
  return objectKey(namespace === undefined ? metadata.namespace : undefined, metadata.name);
}

export function writeToken({ version, after }: Token): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: after });
  return Buffer.from(text).toString('base64url');
}

/** Throws ApiError 400 for what is no token. */
export function readToken(text: string): Token {
  const token = parsed(text);
  const version = numberAt(token, 'rv');
  if (version === undefined) throw badRequest('continue key is not valid: illegal base64 data');
  return { version, after: textAt(token, 'start') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The answer to a token whose moment is forgotten; it holds one that goes on as of now. */
export function expiredToken({ after }: Token): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: { continue: writeToken({ version: -1, after }) },
    status: 'Failure',
    message: tooOld,
    reason: 'Expired',
    code: 410,
  });
}
