import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../terminal/file-problem.ts';
import { CannotDo } from '../../terminal/usage-error.ts';

const folderName = '.phaseout';
/** Relative to the current directory. */
export const kubeconfigPath = join(folderName, 'kubeconfig');

export interface KubeconfigFile {
  /** Relative to the current directory, as the user types it. */
  path: string;
  /** Another file was there: of a run that still serves, or of a run that was killed. */
  isReplacement: boolean;
  /** Deletes the file, since its API server is gone. A file of another run stays. */
  remove(): Promise<void>;
}

/** Writes the kubeconfig of the local API server where kubectl can be pointed to. Throws CannotDo. */
export async function writeKubeconfigFile(folder: string, text: string): Promise<KubeconfigFile> {
  const path = kubeconfigPath;
  const file = join(folder, path);
  try {
    await mkdir(join(folder, folderName), { recursive: true });
    const before = await textIn(file);
    await replace(file, text);
    return {
      path,
      isReplacement: before !== undefined && before !== text,
      remove: async () => ((await textIn(file)) === text ? rm(file, { force: true }) : undefined),
    };
  } catch (error) {
    throw new CannotDo(
      `cannot write the kubeconfig: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Writes a new file, then renames it. A reader gets the whole old file or the whole new one. */
async function replace(file: string, text: string): Promise<void> {
  const beside = await mkdtemp(`${file}-`);
  try {
    await writeFile(join(beside, 'kubeconfig'), text, { mode: 0o600 });
    await rename(join(beside, 'kubeconfig'), file);
  } finally {
    await rm(beside, { recursive: true });
  }
}

/** Undefined when there is no such file. */
async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
