import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CannotDo } from '../usage-error.ts';

const folderName = '.phaseout';

export interface KubeconfigFile {
  /** Relative to the current directory, as one types it. */
  path: string;
  /** It leads nowhere once the API server is gone. */
  remove(): Promise<void>;
}

/** Writes the kubeconfig of the local API server where kubectl can be pointed to. Throws CannotDo. */
export async function writeKubeconfigFile(folder: string, text: string): Promise<KubeconfigFile> {
  const path = join(folderName, 'kubeconfig');
  try {
    await mkdir(join(folder, folderName), { recursive: true });
    await writeFile(join(folder, path), text, { mode: 0o600 });
  } catch (error) {
    throw new CannotDo(
      `cannot write the kubeconfig: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return { path, remove: () => rm(join(folder, path), { force: true }) };
}
