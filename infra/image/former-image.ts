import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesIn } from '../terminal/file-problem.ts';
import { CannotDo } from '../terminal/usage-error.ts';
import { imageTexts } from './bundled-packages.ts';

/** Takes away what an image of before has left in the folder. Throws CannotDo where it holds anything else. */
export async function takeFormerImageAway(folder: string): Promise<void> {
  const names = await namesIn(folder);
  const foreign = firstForeign(names);
  if (foreign !== undefined) {
    throw new CannotDo(`${folder} holds ${foreign}, which is of no image: choose another folder with --out`);
  }
  for (const name of names) await rm(join(folder, name));
}

/** Folders have a slash at the end. */
const namesIn = async (folder: string): Promise<string[]> =>
  (await entriesIn(folder)).map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`)).toSorted();

/** Without its list of contents, an image looks like any other folder of scripts. */
function firstForeign(names: readonly string[]): string | undefined {
  const isImage = names.includes(imageTexts.sbom);
  const texts: readonly string[] = Object.values(imageTexts);
  return names.find((name) => !isImage || !(name.endsWith('.cjs') || texts.includes(name)));
}
