import { getSystemErrorMessage } from 'node:util';
import { type KubeConfig, loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { type Config, ConfigInvalid } from '../../shared/runtime/config.ts';
import type { Outside } from './outside.ts';

const nowhere =
  'neither KUBECONFIG nor KUBERNETES_SERVICE_HOST is set: outside of a cluster KUBECONFIG must be the path of a kubeconfig';

/** The cluster that the process runs in, or the one that KUBECONFIG leads to. Throws ConfigInvalid. */
export function findCluster({ kubeconfig }: Pick<Config, 'kubeconfig'>, env: Outside['env']): KubeConfig {
  if (kubeconfig === undefined && !env['KUBERNETES_SERVICE_HOST']) throw new ConfigInvalid([nowhere]);
  try {
    return loadKubeConfig(kubeconfig === undefined ? { inCluster: true } : { file: kubeconfig });
  } catch (error) {
    const where = kubeconfig === undefined ? 'KUBERNETES_SERVICE_HOST' : `KUBECONFIG ${kubeconfig}`;
    throw new ConfigInvalid([`${where}: ${kubeconfigProblem(error)}`]);
  }
}

/**
 * Why a kubeconfig could not be read, in one line. The system's text repeats the call and the file. A parser's text
 * shows the lines around the mistake.
 */
export function kubeconfigProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('errno' in error && typeof error.errno === 'number') return getSystemErrorMessage(error.errno);
  return error.message.split('\n')[0]?.replace(/:$/, '') ?? '';
}
