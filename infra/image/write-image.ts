import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { bundledPackages, manifestSchema } from './bundled-packages.ts';
import { notices } from './notices.ts';
import { sbom } from './sbom.ts';

/** Writes all that the image holds besides Node into a folder, which is emptied first. Returns the names of the files. */
export async function writeImage(root: string, out: string): Promise<string[]> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { files, modules } = await bundle(root, out);
  const packages = bundledPackages(root, modules);
  const texts = {
    'sbom.cdx.json': `${JSON.stringify(sbom(manifest, packages), undefined, 2)}\n`,
    'THIRD-PARTY-NOTICES.txt': notices(packages),
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(out, name), text);
  return [...files, ...Object.keys(texts)];
}
