import { readFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { kubeconfigProblem } from '../../host/kubeconfig-problem.ts';
import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import type { KubeconfigText } from './merged-kubeconfig.ts';

interface OwnKubeconfigs {
  files: readonly KubeconfigText[];
  /** Their names, for messages. */
  said: string;
}

/** The files that kubectl reads: those in KUBECONFIG that exist, or ~/.kube/config. Throws UsageError where there are none. */
export async function readOwnKubeconfigs({
  env,
  folder,
}: Pick<Outside, 'env' | 'folder'>): Promise<OwnKubeconfigs> {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const home = env['HOME'] ?? env['USERPROFILE'];
  const usual = home === undefined ? [] : [join(home, '.kube', 'config')];
  const paths = named.length > 0 ? named : usual;
  const read = await Promise.all(paths.map((path) => readIfThere(resolve(folder, path), path)));
  const files = read.flat();
  if (files.length === 0) throw new UsageError(`${whereLooked(named, usual)}. ${otherwise}`);
  return { files, said: files.map(({ path }) => path).join(', ') };
}

const otherwise = 'Name one with --kubeconfig FILE, or look at the example fleet with --example capi';

function whereLooked(named: readonly string[], usual: readonly string[]): string {
  if (named.length > 0) return `no kubeconfig: KUBECONFIG names ${named.join(', ')}, which does not exist`;
  const place = usual.length > 0 ? `${usual.join(', ')} does not exist` : 'HOME is not set';
  return `no kubeconfig: KUBECONFIG is not set, and ${place}`;
}

async function readIfThere(absolute: string, path: string): Promise<KubeconfigText[]> {
  try {
    return [{ path: absolute, text: await readFile(absolute, 'utf8') }];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new UsageError(`${path}: ${kubeconfigProblem(error)}`);
  }
}
