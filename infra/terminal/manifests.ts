import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { groupVersionOf } from '../../shared/kubernetes/objects.ts';
import { builtinResources } from '../local/kubernetes/kinds/builtin.ts';
import type { KubeObject } from '../local/kubernetes/objects/cluster.ts';
import { identityOf } from '../local/kubernetes/objects/identity.ts';
import { areEqual, isObject } from '../local/kubernetes/server/json.ts';
import { envelopeOf, isList, itemsOf } from './manifests/envelope.ts';
import { asHeld, flawIn } from './manifests/held.ts';
import { decoded, documentsIn } from './manifests/text.ts';
import { ManifestUnreadable } from './manifests/unreadable.ts';

export { ManifestUnreadable } from './manifests/unreadable.ts';

/** An object as an API server would hold it, and where it is written: `nodes.yaml:12`. */
export interface Manifest {
  from: string;
  object: KubeObject;
  /** Where another one of the same name is written, which it takes the place of. */
  replaces?: string;
}

/** What is held of an object. */
export type Keep = (object: KubeObject) => KubeObject;

const asItIs: Keep = (object) => object;

const manifestFile = /\.(ya?ml|json)$/;

/**
 * Reads manifests: files, and directories with all below them. They are YAML with any number of documents, or JSON.
 * They hold single objects, or Lists as kubectl prints them. Throws ManifestUnreadable.
 * @param keep what is held of an object, once it is known to be right
 */
export async function readManifests(paths: readonly string[], keep: Keep = asItIs): Promise<Manifest[]> {
  const files = (await Promise.all(paths.map(filesUnder))).flat();
  if (files.length === 0) throw new ManifestUnreadable(`no .yaml, .yml or .json file in ${paths.join(', ')}`);
  const manifests: Manifest[] = [];
  // One after the other: the text of a large dump takes more room than what is held of it.
  for (const file of files) manifests.push(...(await readFileManifests(file, keep)));
  return lastOfEach(manifests);
}

async function filesUnder(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ManifestUnreadable(`${path}: no such file or directory`);
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && manifestFile.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function readFileManifests(path: string, keep: Keep): Promise<Manifest[]> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new ManifestUnreadable(`${path}: ${error.message}`);
  });
  const documents = documentsIn(decoded(bytes), path);
  if (documents.length > 0)
    return documents.flatMap(({ line, value }) => objectsIn(value, `${path}:${line}`, keep));
  // What was to write it may have failed: what it would say is unknown.
  throw new ManifestUnreadable(
    `${path}: no object is in it: it is empty, or has only comments. Write it again, or leave it out`,
  );
}

function objectsIn(value: unknown, from: string, keep: Keep): Manifest[] {
  if (isList(value))
    return itemsOf(value).flatMap((item, index) => objectsIn(item, `${from} items[${index}]`, keep));
  if (!isObject(value)) throw new ManifestUnreadable(`${from}: the document: is no object`);
  const isTyped = isBuiltin(value);
  const held = asHeld(value, isTyped);
  const object = envelopeOf(held, from);
  const flaw = isTyped ? (flawIn(object.spec, 'spec') ?? flawIn(object.status, 'status')) : undefined;
  if (flaw !== undefined) throw new ManifestUnreadable(`${from}: ${flaw.path}: ${flaw.why}`);
  return [{ from, object: keep(object) }];
}

/** A definition holds the fields of other kinds, under names of its author's. */
const isBuiltin = ({ apiVersion, kind }: Record<string, unknown>): boolean =>
  typeof apiVersion === 'string' &&
  kind !== 'CustomResourceDefinition' &&
  builtinResources.some((one) => one.kind === kind && one.group === groupVersionOf({ apiVersion }).group);

/** As for kubectl, the last one of a name counts. */
function lastOfEach(manifests: readonly Manifest[]): Manifest[] {
  const last = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const key = identityOf(manifest.object);
    const before = last.get(key);
    const isOther = before !== undefined && !areEqual(before.object, manifest.object);
    last.set(key, isOther ? { ...manifest, replaces: before.from } : manifest);
  }
  return [...last.values()];
}
