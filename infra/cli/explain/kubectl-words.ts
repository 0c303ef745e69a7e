import { quoted } from '../../../shared/explain/kubectl.ts';
import type { Kubectl } from '../../../shared/explain/seen.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import type { KubeconfigPlace } from '../look/kubeconfig.ts';
import type { LookSource } from '../look/options.ts';

/** How the user reaches the two clusters with kubectl: by the same kubeconfigs and contexts. */
export function kubectlFor(source: LookSource, workload: WorkloadRef | undefined): Kubectl {
  const management = source.kind === 'cluster' ? `kubectl${optionsOf(source)}` : 'kubectl';
  if (source.kind === 'cluster' && source.workload !== undefined)
    return { management, workload: `kubectl${optionsOf(source.workload)}` };
  if (workload?.kind !== 'cluster') return { management, workload: management };
  const { namespace, clusterName } = workload;
  const file = quoted(`${clusterName}.kubeconfig`);
  return {
    management,
    workload: `kubectl --kubeconfig ${file}`,
    preparing: `${management} get secret ${quoted(`${clusterName}-kubeconfig`)} -n ${quoted(namespace)} -o jsonpath='{.data.value}' | base64 -d > ${file}`,
  };
}

const optionsOf = ({ kubeconfig, context }: KubeconfigPlace): string =>
  [
    ...(kubeconfig === undefined ? [] : [` --kubeconfig ${quoted(kubeconfig)}`]),
    ...(context === undefined ? [] : [` --context ${quoted(context)}`]),
  ].join('');
