import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { header } from '../../knative/manifests.ts';
import { entriesIn } from '../../terminal/file-problem.ts';
import { CannotDo } from '../../terminal/usage-error.ts';

/**
 * Writes the files, and removes files of an earlier rendering that are no longer needed. Throws CannotDo if the folder
 * holds anything else.
 */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const before = await namesIn(folder);
  const foreign = await firstForeign(folder, before);
  if (foreign !== undefined) {
    throw new CannotDo(
      `${folder} holds ${foreign}, which was not rendered: choose another folder with --out`,
    );
  }
  for (const name of before) if (!files.has(name)) await rm(join(folder, name));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The names of all files below the folder. */
const namesIn = async (folder: string): Promise<string[]> =>
  (await entriesIn(folder, { recursive: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

async function firstForeign(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const isRendered =
      name.endsWith('.yaml') && (await readFile(join(folder, name), 'utf8')).startsWith(header);
    if (!isRendered) return name;
  }
  return undefined;
}
