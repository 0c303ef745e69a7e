import { getSystemErrorMessage } from 'node:util';
import { type KubeConfig, loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Source } from './options.ts';
import { UsageError } from './usage-error.ts';

/** Throws UsageError when the file or the context is of no use. */
export function readKubeconfig({ kubeconfig, context }: Source & { kind: 'cluster' }): KubeConfig {
  try {
    return loadKubeConfig({ file: kubeconfig, ...(context !== undefined && { context }) });
  } catch (error) {
    throw new UsageError(`--kubeconfig ${kubeconfig}: ${whatIsWrong(error)}`);
  }
}

/** The system names the call that failed and the file once more; a parser shows the lines around the mistake. */
function whatIsWrong(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('errno' in error && typeof error.errno === 'number') return getSystemErrorMessage(error.errno);
  return error.message.split('\n')[0]?.replace(/:$/, '') ?? '';
}
