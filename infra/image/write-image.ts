import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packAssets } from '../page/assets/build.ts';
import { bundle } from './bundle.ts';
import { bundledPackages, imageTexts, manifestSchema, notices } from './bundled-packages.ts';
import { takeFormerImageAway } from './former-image.ts';
import { sbom } from './sbom.ts';

/**
 * Writes all that the image holds besides Node into a folder, from which an image of before is taken away. Returns the
 * names of the files. Throws CannotDo where the folder holds anything else.
 */
export async function writeImage(root: string, out: string): Promise<string[]> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  await takeFormerImageAway(out);
  await mkdir(out, { recursive: true });
  const { files, modules } = await bundle(root, out);
  const page = await packAssets();
  const packages = bundledPackages(root, [...modules, ...page.modules]);
  const texts = {
    [imageTexts.sbom]: `${JSON.stringify(sbom(manifest, packages), undefined, 2)}\n`,
    [imageTexts.notices]: notices(packages),
    [imageTexts.page]: page.text,
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(out, name), text);
  return [...files, ...Object.keys(texts)];
}
