import { applyPatch } from 'rfc6902';
import { isObject } from '../json.ts';
import { badRequest, failure } from '../status.ts';

const rejected = 'the server rejected our request due to an error in our request';

/** JSON patch (RFC 6902) with the API server's leniencies. Throws ApiError 400 for what is no patch, 422 for one that fails. */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch))
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  const document = structuredClone(target);
  for (const operation of patch) {
    const lenient = asAccepted(document, rooted(operation));
    if (lenient === undefined) continue;
    const [error] = applyPatch(document, [lenient]);
    if (error) throw failure(422, 'Invalid', rejected, {});
  }
  return document;
}

type Operation = Parameters<typeof applyPatch>[1][number];

/** A path without a leading slash loses its first segment, as it does in the API server. */
function rooted(operation: Operation): Operation {
  const { path } = operation;
  return typeof path === 'string' && path !== '' && !path.startsWith('/')
    ? { ...operation, path: path.includes('/') ? path.slice(path.indexOf('/')) : '' }
    : operation;
}

/** `replace` of a missing key adds it, and `test` of a missing path against null holds. */
function asAccepted(document: unknown, operation: Operation): Operation | undefined {
  const isMissing = valueAt(document, operation.path) === undefined;
  if (operation.op === 'replace' && isMissing) return { ...operation, op: 'add' };
  if (operation.op === 'test' && isMissing && operation.value === null) return undefined;
  return operation;
}

function valueAt(document: unknown, pointer: string): unknown {
  let here: unknown = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isObject(here)) here = here[key];
    else return undefined;
  }
  return here;
}
