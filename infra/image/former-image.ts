import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileProblem } from '../terminal/file-problem.ts';
import { imageTexts } from './image-texts.ts';

/** The folder is not one that an image may be written to, and was left as it is. */
export class NoImageFolder extends Error {}

/** Takes away what an image of before has left in the folder. Throws NoImageFolder where it holds anything else. */
export async function takeFormerImageAway(folder: string): Promise<void> {
  const names = await namesIn(folder);
  const foreign = firstForeign(names);
  if (foreign !== undefined) {
    throw new NoImageFolder(
      `${folder} holds ${foreign}, which is of no image: choose another folder with --out`,
    );
  }
  for (const name of names) await rm(join(folder, name));
}

/** Of what is in the folder, folders with a slash at the end; none where there is no folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`)).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new NoImageFolder(`${folder}: ${fileProblem(error)}`);
  }
}

/** Without its list of contents, an image looks like any other folder of scripts. */
function firstForeign(names: readonly string[]): string | undefined {
  const isImage = names.includes(imageTexts.sbom);
  const texts: readonly string[] = Object.values(imageTexts);
  return names.find((name) => !isImage || !(name.endsWith('.cjs') || texts.includes(name)));
}
