import { management } from '../../platform/clusters.ts';
import type { Read } from './actor.ts';
import type { Case } from './judging.ts';
import { machineIn } from './machine.ts';
import { isSoInAny, type Part, type View } from './past.ts';
import type { Court } from './pods.ts';
import { machineRead, nodeRead, podsRead, type Witness } from './witness.ts';

/** Rules, Namespaces and DaemonSets may be believed for ten seconds, and so for as long before a step. */
const rulesGrace = 11_000;

/**
 * Whether it was so of the Node's Pods at some moment that the actor may see. It may know older rules than Pods. No two
 * kinds of objects are read at the same moment.
 */
export function wasSoOfPods(witness: Witness, of: Case, isSo: (court: Court) => boolean): boolean {
  const { past, reads, world } = witness;
  // By a clock that is behind a Pod on its way seems to have time left.
  const times = [...new Set([world.now(), ...reads.presentsOf(of.actor.instance)])];
  const holds = (view: View): boolean => times.some((now) => isSo(courtOf(view, of, now)));
  return holds(past.present) || isSoInAny(past.apart(partsOf(witness, of)), holds);
}

/** Where the Node's Pods are judged. A Machine that is not there any more is taken as it was. */
export const courtOf = (
  view: View,
  { plan, machine }: Pick<Case, 'plan' | 'machine'>,
  now: number,
): Court => ({
  machine: machineIn(view, plan) ?? machine,
  host: plan.host,
  node: view.get(plan.host, 'nodes', undefined, plan.node ?? ''),
  view,
  now,
});

/** What is left now. Empty if nothing was left at some moment that the actor may see. */
export function stillLeft(witness: Witness, of: Case, left: (court: Court) => string[]): string[] {
  let now: string[] | undefined;
  const isNone = wasSoOfPods(witness, of, (court) => {
    const names = left(court);
    now ??= names;
    return names.length === 0;
  });
  return isNone ? [] : (now ?? []);
}

/** What has been left for so long, by each of the actor's clocks. An older reading of the Node's Pods does not count. */
export function longLeft(
  { world, past, reads }: Witness,
  of: Case,
  milliseconds: number,
  left: (court: Court) => string[],
): string[] {
  const { instance } = of.actor;
  const presents = reads.presentsOf(instance);
  const isNone = (view: View): boolean => presents.some((now) => left(courtOf(view, of, now)).length === 0);
  const since = world.now() - milliseconds - reads.stillnessOf(instance);
  return isSoInAny(past.since(since), isNone) ? [] : left(courtOf(past.present, of, world.now()));
}

const onNodes = ['pods', 'nodes', 'volumeattachments.storage.k8s.io', 'persistentvolumes'];
const ofRules = ['namespaces', 'daemonsets.apps'];
const ofRulesInManagement = ['machinedrainrules.cluster.x-k8s.io', 'clusters.cluster.x-k8s.io'];

/** Each kind that a verdict rests on; none where the actor has read neither the Node nor its Pods. */
function partsOf(witness: Witness, { actor, plan }: Case): Part[] {
  const { host, namespace } = plan;
  const since = witness.earliestOf(actor, [podsRead(plan), nodeRead(plan)]);
  if (since === undefined) return [];
  const rules: Read[] = [
    machineRead(plan),
    { host: management, resource: 'machinedrainrules.cluster.x-k8s.io', namespace },
    { host, resource: 'namespaces' },
    ...daemonSetReads(witness.past.present, host),
  ];
  const rulesSince = witness.earliestOf(actor, rules, rulesGrace) ?? since;
  return [
    ...onNodes.map((resource) => kindOf(host, resource, since)),
    ...ofRules.map((resource) => kindOf(host, resource, rulesSince)),
    ...ofRulesInManagement.map((resource) => kindOf(management, resource, rulesSince)),
    { since: rulesSince, has: ({ resource, name }) => resource === plan.resource && name === plan.name },
  ];
}

/** Also of those that have gone, and left Pods. */
const daemonSetReads = (view: View, host: string): Read[] =>
  view
    .list(host, 'pods')
    .flatMap(({ metadata: { namespace, ownerReferences = [] } }) =>
      ownerReferences
        .filter(({ kind }) => kind === 'DaemonSet')
        .map(({ name }): Read => ({ host, resource: 'daemonsets.apps', namespace, name })),
    );

const kindOf = (host: string, resource: string, since: number): Part => ({
  since,
  has: (place) => place.host === host && place.resource === resource,
});
