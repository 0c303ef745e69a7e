import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Asset, Assets } from '../server/assets.ts';

/** Beside the bundle of the commands. */
const inPackage = new URL('../../../dist/page.json', import.meta.url);

/**
 * Where there are sources, the first browser that asks has them built. Otherwise they come from one packed file. By
 * default it is that of the npm package.
 */
export function openAssets(packed: URL = inPackage): Assets {
  let made: Promise<ReadonlyMap<string, Asset>> | undefined;
  return () => (made ??= make(packed));
}

async function make(packed: URL): Promise<ReadonlyMap<string, Asset>> {
  const sources = new URL('./build.ts', import.meta.url);
  if (!existsSync(sources)) return unpacked(await readFile(packed, 'utf8'));
  // By a name that no bundler follows: a bundle of the commands has no bundler in it.
  const { buildAssets }: typeof import('./build.ts') = await import(sources.href);
  return (await buildAssets()).assets;
}

const schema = z.record(z.string(), z.object({ type: z.string(), body: z.string() }));

const unpacked = (text: string): ReadonlyMap<string, Asset> =>
  new Map(Object.entries(schema.parse(JSON.parse(text))));
