import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import type { KubeObject } from '../local/kubernetes/objects/cluster.ts';
import { at } from '../local/kubernetes/server/json.ts';

/** A manifest that cannot be used. The message names the file, the document and what is wrong. */
export class ManifestUnreadable extends Error {
  override readonly name = 'ManifestUnreadable';
}

/** An object as it was written, and where: `nodes.yaml:12`. */
export interface Manifest {
  from: string;
  object: KubeObject;
}

const manifestFile = /\.(ya?ml|json)$/;

const objectSchema = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: z.looseObject({ name: z.string().min(1) }),
});

const listSchema = z.looseObject({ kind: z.string().endsWith('List'), items: z.array(z.unknown()) });

/**
 * Reads manifests: files, and directories with all below them. They are YAML with any number of documents, or JSON.
 * They hold single objects, or Lists as kubectl prints them. Throws ManifestUnreadable.
 */
export async function readManifests(paths: readonly string[]): Promise<Manifest[]> {
  const files = (await Promise.all(paths.map(filesUnder))).flat();
  if (files.length === 0) throw new ManifestUnreadable(`no .yaml, .yml or .json file in ${paths.join(', ')}`);
  const manifests = await Promise.all(files.map(readFileManifests));
  return manifests.flat();
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

async function readFileManifests(path: string): Promise<Manifest[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ManifestUnreadable(`${path}: ${error.message}`);
  });
  return parseManifests(text, path);
}

/** The objects in one file's text; `path` is only for messages. */
function parseManifests(text: string, path: string): Manifest[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  return [...documents].flatMap((document) => {
    const { line } = lines.linePos(document.contents?.range?.[0] ?? 0);
    const from = `${path}:${Math.max(line, 1)}`;
    const [error] = document.errors;
    if (error !== undefined) throw new ManifestUnreadable(`${path}: ${error.message}`);
    const value = valueOf(document, from);
    return value === null || value === undefined ? [] : objectsIn(value, from);
  });
}

/** Throws ManifestUnreadable for aliases that would unfold into more than any manifest holds. */
function valueOf(document: Document, from: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 1000 });
  } catch (error) {
    throw new ManifestUnreadable(`${from}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function objectsIn(value: unknown, from: string): Manifest[] {
  const list = listSchema.safeParse(value);
  if (list.success)
    return list.data.items.flatMap((item, index) => objectsIn(item, `${from} items[${index}]`));
  const parsed = objectSchema.safeParse(value);
  if (parsed.success) return [{ from, object: parsed.data }];
  throw new ManifestUnreadable(`${from}: ${whatIsWrong(parsed.error.issues[0], value)}`);
}

/** `metadata.name: is missing (a generateName is not enough)`. */
function whatIsWrong(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  if (issue === undefined || issue.path.length === 0) return 'the document: is no object';
  const path = issue.path.join('.');
  const isMissing = issue.code === 'invalid_type' && at(value, ...issue.path.map(String)) === undefined;
  const isGenerated = path === 'metadata.name' && at(value, 'metadata', 'generateName') !== undefined;
  const hint = isGenerated ? ' (a generateName is not enough)' : '';
  return `${path}: ${isMissing ? 'is missing' : issue.message}${hint}`;
}
