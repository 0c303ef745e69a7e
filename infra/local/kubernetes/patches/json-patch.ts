import { applyPatch } from 'rfc6902';
import { badRequest, failure } from '../objects/status.ts';
import { isObject } from '../server/json.ts';

const rejected = 'the server rejected our request due to an error in our request';

/** JSON patch (RFC 6902) with the API server's leniencies. Throws ApiError 400 for what is no patch, 422 for one that fails. */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch))
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  const document = structuredClone(target);
  for (const operation of patch) {
    if (!isOperation(operation)) throw failure(422, 'Invalid', rejected, {});
    const lenient = asAccepted(document, counted(document, rooted(operation)));
    if (lenient === undefined) continue;
    const [error] = applyPatch(document, [lenient]);
    if (error) throw failure(422, 'Invalid', rejected, {});
  }
  return document;
}

type Operation = Parameters<typeof applyPatch>[1][number];

const isOperation = (value: unknown): value is Operation => isObject(value);

/** A path without a leading slash loses its first segment, as it does in the API server. */
function rooted(operation: Operation): Operation {
  const { path } = operation;
  return typeof path === 'string' && path !== '' && !path.startsWith('/')
    ? { ...operation, path: path.includes('/') ? path.slice(path.indexOf('/')) : '' }
    : operation;
}

/** `replace` of a key that an object lacks adds it, and `test` of it against null holds. A list lacks no key. */
function asAccepted(document: unknown, operation: Operation): Operation | undefined {
  const { parent, key } = placeOf(document, operation.path);
  const isMissing = isObject(parent) && parent[key] === undefined;
  if (operation.op === 'replace' && isMissing) return { ...operation, op: 'add' };
  if (operation.op === 'test' && isMissing && operation.value === null) return undefined;
  return operation;
}

/** Items of lists may be counted from the end. The last one is -1, as is the place after it for an addition. */
function counted(document: unknown, operation: Operation): Operation {
  const { op, path } = operation;
  if (!/\/-\d/.test(path)) return operation;
  const parts = path.split('/').slice(1);
  let here: unknown = document;
  const forward = parts.map((part, i) => {
    const isNew = op === 'add' && i === parts.length - 1;
    const key =
      Array.isArray(here) && /^-\d+$/.test(part) ? fromEnd(here.length + Number(isNew), part) : part;
    here = itemAt(here, unescaped(key));
    return key;
  });
  return { ...operation, path: `/${forward.join('/')}` };
}

/** An index before the first item stays as it is. It is refused like any key that a list lacks. */
function fromEnd(length: number, part: string): string {
  const index = length + Number(part);
  return index < 0 ? part : String(index);
}

function placeOf(document: unknown, pointer: string): { parent: unknown; key: string } {
  const keys = pointer.split('/').slice(1).map(unescaped);
  return { parent: keys.slice(0, -1).reduce(itemAt, document), key: keys.at(-1) ?? '' };
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function itemAt(holder: unknown, key: string): unknown {
  if (Array.isArray(holder)) return holder[Number(key)];
  return isObject(holder) ? holder[key] : undefined;
}
