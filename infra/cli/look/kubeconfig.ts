import { type KubeConfig, loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { kubeconfigProblem } from '../../host/kubeconfig-problem.ts';
import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { readKubeconfig } from '../read-kubeconfig.ts';
import { mergedKubeconfig } from './merged-kubeconfig.ts';
import { readOwnKubeconfigs } from './own-kubeconfigs.ts';

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
    throw new UsageError(`${said}: ${kubeconfigProblem(error)}`);
  }
}
