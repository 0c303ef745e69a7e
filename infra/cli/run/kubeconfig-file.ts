import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folderName = '.phaseout';

export interface KubeconfigFile {
  /** Relative to the current directory, as one types it. */
  path: string;
  /** It leads nowhere once the API server is gone. */
  remove(): Promise<void>;
}

/** Writes the kubeconfig of the local API server where kubectl can be pointed to. */
export async function writeKubeconfigFile(folder: string, text: string): Promise<KubeconfigFile> {
  const path = join(folderName, 'kubeconfig');
  await mkdir(join(folder, folderName), { recursive: true });
  await writeFile(join(folder, path), text, { mode: 0o600 });
  return { path, remove: () => rm(join(folder, path), { force: true }) };
}
