import { explain } from '../../../shared/explain/explain.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import { quoted } from '../../../shared/explain/kubectl.ts';
import { type Kubectl, type Seen, seenIn } from '../../../shared/explain/seen.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import { assessMachine, type LookedAt } from '../look/assess-machine.ts';
import type { KubeconfigPlace } from '../look/kubeconfig.ts';
import type { Looker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';

interface Asked {
  looker: Looker;
  source: LookSource;
  /** As it was read. */
  raw: KubeObject;
}

/** What an explanation of the Machine is made from; undefined where it has gone meanwhile. */
export async function seenOf({ looker, source, raw }: Asked): Promise<Seen | undefined> {
  const found = await assessMachine(looker, raw);
  return found && seenFrom(found, { looker, source });
}

/** The same from an assessment that was made. */
export function seenFrom(found: LookedAt, { looker, source }: Pick<Asked, 'looker' | 'source'>): Seen {
  const { machine, dialect } = found.assessment;
  const unread = looker.unread();
  return seenIn({ ...found, unread, kubectl: kubectlFor(source, dialect.workload(machine)) });
}

/** The plan of a Machine with its explanation; undefined where it has gone meanwhile. */
export async function explained(
  asked: Asked,
  history: readonly HistoryEntry[] | undefined,
): Promise<{ plan: DeletionPlan; explanation: Explanation } | undefined> {
  const seen = await seenOf(asked);
  return seen && { plan: seen.plan, explanation: explain({ ...seen, history }) };
}

/** How the user reaches the two clusters with kubectl: by the same kubeconfigs and contexts. */
function kubectlFor(source: LookSource, workload: WorkloadRef | undefined): Kubectl {
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
