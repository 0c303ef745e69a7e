import type { KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import { machineIn } from './machine.ts';
import type { View } from './past.ts';
import type { Court } from './pods.ts';
import type { Actor, Read } from './reads.ts';
import { machineRead, nodeRead, podsRead, type Witness } from './witness.ts';

/** Rules, Namespaces and DaemonSets may be believed for ten seconds, and so for as long before a step. */
const rulesGrace = 11_000;

interface Case {
  actor: Actor;
  plan: MachinePlan;
  machine: KubeObject;
}

/**
 * Whether it was so of the Node's Pods at some moment that the actor may have had before its eyes. Its knowledge of
 * rules may be older than that of Pods.
 */
export function wasSoOfPods(
  witness: Witness,
  { actor, plan, machine }: Case,
  isSo: (court: Court) => boolean,
): boolean {
  const { past, reads, world } = witness;
  const own = reads.clockOf(actor.instance);
  // By a clock that is behind a Pod on its way seems to have time left.
  const times = own < world.now() ? [world.now(), own] : [own];
  const { host, node = '' } = plan;
  const holds = (view: View, rules: View): boolean => {
    const court = { host, view, rules, node: view.get(host, 'nodes', undefined, node) };
    return times.some((now) => isSo({ ...court, now, machine: machineIn(rules, plan) ?? machine }));
  };
  const what = [podsRead(plan), nodeRead(plan)];
  if (witness.wasSoLately(actor, what, (view) => holds(view, past.present))) return true;
  const earlier = olderRules(witness, actor, plan);
  return witness.wasSoLately(actor, what, (view) => earlier.some((rules) => holds(view, rules)));
}

/** What is left, as it is now; nothing where nothing was at some moment that the actor may have had before its eyes. */
export function stillLeft(witness: Witness, of: Case, left: (court: Court) => string[]): string[] {
  let now: string[] | undefined;
  const isNone = wasSoOfPods(witness, of, (court) => {
    const names = left(court);
    now ??= names;
    return names.length === 0;
  });
  return isNone ? [] : (now ?? []);
}

/** Each state of what verdicts rest on beside Pods that the actor may still believe, once. */
function olderRules({ past, reads }: Witness, actor: Actor, plan: MachinePlan): View[] {
  const what: Read[] = [
    machineRead(plan),
    { host: 'management', resource: 'machinedrainrules.cluster.x-k8s.io', namespace: plan.namespace },
    { host: plan.host, resource: 'namespaces' },
  ];
  const moments = what
    .map((read) => reads.earliest(actor, read, rulesGrace))
    .filter((at) => at !== undefined);
  const daemonSets = past.present
    .list(plan.host, 'daemonsets.apps')
    .map(({ metadata: { namespace, name } }) =>
      reads.earliest(actor, { host: plan.host, resource: 'daemonsets.apps', namespace, name }, rulesGrace),
    );
  const from = Math.min(...moments, ...daemonSets.filter((at) => at !== undefined));
  const known = new Map<string, View>();
  for (const view of past.since(from)) known.set(signatureOf(view, plan), view);
  return [...known.values()];
}

const signatureOf = (view: View, plan: MachinePlan): string =>
  [
    ...view.list('management', 'machinedrainrules.cluster.x-k8s.io'),
    ...view.list('management', 'clusters.cluster.x-k8s.io'),
    ...view.list(plan.host, 'namespaces'),
    ...view.list(plan.host, 'daemonsets.apps'),
    machineIn(view, plan),
  ]
    .map((object) => object?.metadata.resourceVersion ?? '')
    .join();
