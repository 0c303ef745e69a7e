import { join } from 'node:path';
import { type KubeConfig, loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { kubeconfigProblem } from '../host/kubeconfig-problem.ts';
import type { Outside } from '../terminal/outside.ts';
import { UsageError } from '../terminal/usage-error.ts';
import type { Source } from './options.ts';

/** The file where kubectl would look: KUBECONFIG, or the one in the home folder. Throws UsageError. */
export function ownKubeconfig({ env }: Pick<Outside, 'env'>): string {
  const home = env['HOME'];
  const file = env['KUBECONFIG'] || (home && join(home, '.kube/config'));
  if (!file) throw new UsageError('no cluster is named: set --kubeconfig FILE or KUBECONFIG');
  if (file.includes(':'))
    throw new UsageError('KUBECONFIG names several files: choose one with --kubeconfig');
  return file;
}

/** Throws UsageError if it cannot use the file or the context. */
export function readKubeconfig({ kubeconfig, context }: Source & { kind: 'cluster' }): KubeConfig {
  try {
    return loadKubeConfig({ file: kubeconfig, ...(context !== undefined && { context }) });
  } catch (error) {
    throw new UsageError(`--kubeconfig ${kubeconfig}: ${kubeconfigProblem(error)}`);
  }
}
