import { access, readFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import {
  type KubeConfig,
  loadKubeConfig,
  NoSuchContext,
} from '../../../shared/adapters/kubernetes/kube-config.ts';
import { kubeconfigProblem } from '../../host/find-cluster.ts';
import { isMissing } from '../../terminal/file-problem.ts';
import { didYouMean, nearTo } from '../../terminal/near.ts';
import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import type { Source } from '../source.ts';
import { contextNames, type KubeconfigText, mergedKubeconfig } from './merged-kubeconfig.ts';

/** Where a kubeconfig is: in a file, or where kubectl looks for it. */
export interface KubeconfigPlace {
  kubeconfig: string | undefined;
  /** Undefined is its current one. */
  context: string | undefined;
}

/** The way to a cluster as the user goes it. Throws UsageError that says where it was looked for. */
export async function wayTo(
  { kubeconfig, context }: KubeconfigPlace,
  outside: Pick<Outside, 'env' | 'folder'>,
): Promise<KubeConfig> {
  if (kubeconfig !== undefined) return readKubeconfig({ kind: 'cluster', kubeconfig, context });
  const { files, said } = await readOwnKubeconfigs(outside);
  try {
    return loadKubeConfig({ text: mergedKubeconfig(files, context) });
  } catch (error) {
    throw new UsageError(`${said}: ${problemOf(error, context)}`);
  }
}

/** The names of the contexts to choose from. Throws UsageError. */
export async function contextsOf(
  { kubeconfig }: KubeconfigPlace,
  outside: Pick<Outside, 'env' | 'folder'>,
): Promise<string[]> {
  if (kubeconfig === undefined) return contextNames((await readOwnKubeconfigs(outside)).files);
  return contextNames(await readIfThere(resolve(outside.folder, kubeconfig), kubeconfig));
}

/** The files that kubectl reads: those in KUBECONFIG that exist, or ~/.kube/config. Throws UsageError where there are none. */
async function readOwnKubeconfigs({ env, folder }: Pick<Outside, 'env' | 'folder'>) {
  const { named, usual } = ownPaths(env);
  const paths = named.length > 0 ? named : usual;
  const read = await Promise.all(paths.map((path) => readIfThere(resolve(folder, path), path)));
  const files = read.flat();
  if (files.length === 0) throw new UsageError(`${whereLooked(named, usual)}. ${otherwise}`);
  return { files, said: files.map(({ path }) => path).join(', ') };
}

/** Why there is no kubeconfig at all; undefined where there is one. One that cannot be used is one. */
export async function whyNoKubeconfig({
  env,
  folder,
}: Pick<Outside, 'env' | 'folder'>): Promise<string | undefined> {
  const { named, usual } = ownPaths(env);
  if (named.length > 0) return undefined;
  const isThere = await Promise.all(usual.map((path) => exists(resolve(folder, path))));
  return isThere.includes(true) ? undefined : whereLooked(named, usual);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

function ownPaths(env: Outside['env']): { named: string[]; usual: string[] } {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const home = env['HOME'] ?? env['USERPROFILE'];
  return { named, usual: home === undefined ? [] : [join(home, '.kube', 'config')] };
}

const otherwise = 'Name one with --kubeconfig FILE, or look at the example fleet with --example';

function whereLooked(named: readonly string[], usual: readonly string[]): string {
  if (named.length > 0) return `no kubeconfig: KUBECONFIG names ${named.join(', ')}, which does not exist`;
  const place = usual.length > 0 ? `${usual.join(', ')} does not exist` : 'HOME is not set';
  return `no kubeconfig: KUBECONFIG is not set, and ${place}`;
}

async function readIfThere(absolute: string, path: string): Promise<KubeconfigText[]> {
  try {
    return [{ path: absolute, text: await readFile(absolute, 'utf8') }];
  } catch (error) {
    if (isMissing(error)) return [];
    throw new UsageError(`${path}: ${kubeconfigProblem(error)}`);
  }
}

/** The file where kubectl would look: KUBECONFIG, or the one in the home folder. Throws UsageError. */
export function ownKubeconfig({ env }: Pick<Outside, 'env'>): string {
  const home = env['HOME'];
  const file = env['KUBECONFIG'] || (home && join(home, '.kube/config'));
  if (!file) throw new UsageError('no cluster is named: set --kubeconfig FILE or KUBECONFIG');
  if (file.includes(':'))
    throw new UsageError('KUBECONFIG names several files: choose one with --kubeconfig');
  return file;
}

/** Of a context that was typed, one that is near may be meant. */
function problemOf(error: unknown, context: string | undefined): string {
  if (context === undefined || !(error instanceof NoSuchContext)) return kubeconfigProblem(error);
  return `there is no context ${JSON.stringify(context)}${didYouMean(nearTo(context, error.known))}`;
}

/** Throws UsageError if it cannot use the file or the context. */
export function readKubeconfig({ kubeconfig, context }: Source & { kind: 'cluster' }): KubeConfig {
  try {
    return loadKubeConfig({ file: kubeconfig, ...(context !== undefined && { context }) });
  } catch (error) {
    throw new UsageError(`--kubeconfig ${kubeconfig}: ${problemOf(error, context)}`);
  }
}
