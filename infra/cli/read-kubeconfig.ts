import { type KubeConfig, loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { kubeconfigProblem } from '../host/kubeconfig-problem.ts';
import { UsageError } from '../terminal/usage-error.ts';
import type { Source } from './options.ts';

/** Throws UsageError if it cannot use the file or the context. */
export function readKubeconfig({ kubeconfig, context }: Source & { kind: 'cluster' }): KubeConfig {
  try {
    return loadKubeConfig({ file: kubeconfig, ...(context !== undefined && { context }) });
  } catch (error) {
    throw new UsageError(`--kubeconfig ${kubeconfig}: ${kubeconfigProblem(error)}`);
  }
}
