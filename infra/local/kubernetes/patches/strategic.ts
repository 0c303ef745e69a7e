import { internal } from '../objects/status.ts';
import { at, isObject, type JsonObject, listOf } from '../server/json.ts';

/** Strategic merge patch: like a merge patch, but known lists merge by their key and directives are obeyed. */
export function strategicPatch(target: unknown, patch: unknown, path = ''): unknown {
  if (!isObject(patch)) return patch;
  if (patch.$patch === 'replace') return withoutDirectives(patch);
  if (patch.$patch === 'delete') return {};
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  retainOnly(merged, patch.$retainKeys);
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$deleteFromPrimitiveList/'))
      removeValues(merged, key.slice('$deleteFromPrimitiveList/'.length), value);
    if (key.startsWith('$')) continue;
    if (value === null) delete merged[key];
    else merged[key] = mergeField(merged[key], value, `${path}.${key}`);
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$setElementOrder/')) {
      orderAsGiven(merged, target, { field: key.slice('$setElementOrder/'.length), wanted: value, path });
    }
  }
  return merged;
}

function mergeField(current: unknown, value: unknown, path: string): unknown {
  if (!Array.isArray(value)) return strategicPatch(current, value, path);
  if (mergesAsSet(path)) return [...new Set([...value, ...listOf(current)])];
  const key = mergeKeyOf(path);
  return key === undefined ? value : mergeList(listOf(current), value, key, path);
}

function mergeList(current: unknown[], patch: unknown[], key: string, path: string): unknown[] {
  if (patch.some((item) => isObject(item) && item.$patch === 'replace')) {
    return patch.filter((item) => !(isObject(item) && item.$patch === 'replace'));
  }
  let merged = current;
  for (const item of patch) {
    if (!isObject(item)) continue;
    if (item[key] === undefined)
      throw internal(`map: ${goMap(item)} does not contain declared merge key: ${key}`);
    merged = mergeItem(merged, item, key, path);
  }
  return ordered(merged, current, patch, key);
}

function mergeItem(list: unknown[], item: JsonObject, key: string, path: string): unknown[] {
  const isSame = (other: unknown) => isObject(other) && other[key] === item[key];
  if (item.$patch === 'delete') return list.filter((other) => !isSame(other));
  if (!list.some(isSame)) return [...list, strategicPatch(undefined, item, path)];
  return list.map((other) => (isSame(other) ? strategicPatch(other, item, path) : other));
}

/** The items in the order that the patch gives; those it does not name keep their place among them. */
function ordered(
  merged: unknown[],
  current: unknown[],
  wanted: unknown[],
  key: string | undefined,
): unknown[] {
  const identity = (item: unknown) => (key !== undefined && isObject(item) ? item[key] : item);
  const places = wanted.map(identity);
  const known = current.map(identity);
  const named = merged.filter((item) => places.includes(identity(item)));
  named.sort((one, other) => places.indexOf(identity(one)) - places.indexOf(identity(other)));
  const others = merged.filter((item) => !places.includes(identity(item)));
  const result: unknown[] = [];
  while (named.length > 0 && others.length > 0) {
    const place = known.indexOf(identity(named[0]));
    const isNamedFirst = place < 0 || place < known.indexOf(identity(others[0]));
    result.push(isNamedFirst ? named.shift() : others.shift());
  }
  return [...result, ...named, ...others];
}

function orderAsGiven(merged: JsonObject, target: unknown, directive: Directive): void {
  const { field, wanted, path } = directive;
  const list = merged[field];
  if (!Array.isArray(list)) return;
  merged[field] = ordered(list, listOf(at(target, field)), listOf(wanted), mergeKeyOf(`${path}.${field}`));
}

interface Directive {
  readonly field: string;
  readonly wanted: unknown;
  readonly path: string;
}

function retainOnly(merged: JsonObject, keys: unknown): void {
  if (!Array.isArray(keys)) return;
  for (const key of Object.keys(merged)) if (!keys.includes(key)) delete merged[key];
}

function removeValues(merged: JsonObject, field: string, values: unknown): void {
  const list = merged[field];
  if (!Array.isArray(list)) return;
  const kept = list.filter((item) => !listOf(values).includes(item));
  if (kept.length > 0) merged[field] = kept;
  else delete merged[field];
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}

/** A map as Go prints it, which is how the API server quotes it. */
function goMap(item: JsonObject): string {
  const fields = Object.keys(item)
    .toSorted()
    .map((key) => `${key}:${String(item[key])}`);
  return `map[${fields.join(' ')}]`;
}

/** The lists of built-in kinds that merge item by item in a strategic merge patch, by their path's end. */
const mergeKeys: Readonly<Record<string, string>> = {
  '.metadata.ownerReferences': 'uid',
  '.spec.containers': 'name',
  '.spec.initContainers': 'name',
  '.spec.ephemeralContainers': 'name',
  '.spec.volumes': 'name',
  '.spec.imagePullSecrets': 'name',
  '.spec.hostAliases': 'ip',
  '.spec.topologySpreadConstraints': 'topologyKey',
  '.spec.taints': 'key',
  '.spec.ports': 'port',
  '.containers.env': 'name',
  '.containers.ports': 'containerPort',
  '.containers.volumeMounts': 'mountPath',
  '.containers.volumeDevices': 'devicePath',
  '.initContainers.env': 'name',
  '.initContainers.volumeMounts': 'mountPath',
  '.status.conditions': 'type',
  '.status.addresses': 'type',
  '.status.podIPs': 'ip',
  '.secrets': 'name',
  '.imagePullSecrets': 'name',
};

/** Taints are replaced as a whole, although Nodes are patched as maps elsewhere. */
const atomic = new Set(['.spec.taints']);

const sets = new Set(['.metadata.finalizers']);

export function mergeKeyOf(path: string): string | undefined {
  if (atomic.has(path)) return undefined;
  const suffix = Object.keys(mergeKeys).find((end) => path.endsWith(end));
  return suffix === undefined ? undefined : mergeKeys[suffix];
}

export function mergesAsSet(path: string): boolean {
  return sets.has(path);
}

/** JSON merge patch (RFC 7386). Parts that the patch does not touch are shared with the target. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], Array.isArray(value) ? value.map(withoutNulls) : value);
  }
  return merged;
}

/** The API server drops nulls from objects in a list that comes with a patch. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isObject(value) ? mergePatch({}, value) : value;
}
