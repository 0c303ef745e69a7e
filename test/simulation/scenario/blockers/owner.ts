import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { exclusions, isBeside } from '../beside.ts';
import { annotationsOf, type Case, type Obstacle, referredBy } from './case.ts';
import { controllerOf } from './copies.ts';
import { isDrained } from './hooks.ts';
import { mayTouchNode, nodeOf } from './node.ts';

const providerIdOf = (object: KubeObject | undefined): string => textAt(object, 'spec', 'providerID');

/** Its own, or that of its server, unless that is another Machine's. */
function ownProviderId(about: Case): string {
  const own = providerIdOf(about.machine);
  const isOthers = controllerOf(about, 'infrastructure') !== undefined;
  if (own !== '' || about.plan.api !== 'capi' || isOthers) return own;
  return providerIdOf(referredBy(about, 'infrastructure'));
}

/** Neither its UID nor a providerID proves the Node to be the Machine's. */
export function isUnproven(about: Case): boolean {
  const node = nodeOf(about);
  if (node === undefined) return false;
  const uid = textAt(about.machine, 'status', 'nodeRef', 'uid');
  if (uid !== '' && uid === node.metadata.uid) return false;
  // Machines of other namespaces may have the same ID, and are not looked at.
  const isPartial = about.plan.api === 'openshift' && about.world.config.namespaces.length > 0;
  const own = ownProviderId(about);
  return isPartial || own === '' || own !== providerIdOf(node) || rivalsOf(about, node).length > 0;
}

const rivalsOf = ({ world, plan, machine }: Case, node: KubeObject): KubeObject[] =>
  world.management
    .list(plan.resource, { namespace: plan.namespace })
    .filter(({ metadata }) => metadata.uid !== machine.metadata.uid)
    .filter((other) => providerIdOf(other) !== '' && providerIdOf(other) === providerIdOf(node));

/** In the place of the API's own controller what is proven another's is left alone, and holds nothing. */
const isAnothers = (about: Case): boolean => {
  const node = nodeOf(about);
  if (node === undefined || ownProviderId(about) === providerIdOf(node)) return false;
  return rivalsOf(about, node).length === 1;
};

/** Nothing is done to a Node before it is known whose it is, and no time limit ends that. */
export function ownerObstacle(about: Case): Obstacle | undefined {
  const { world, plan, machine, phase } = about;
  if (!mayTouchNode(about) || !isUnproven(about)) return undefined;
  const isHeldBeside = isBeside(world, plan) && !about.isPeers;
  const isExcluded = exclusionOf(about) in annotationsOf(machine);
  if (plan.api === 'openshift' && (isExcluded || isDrained(machine))) return undefined;
  if (!isHeldBeside && (isAnothers(about) || isExcluded || phase === 'hand-over')) return undefined;
  return {
    kind: 'node',
    what: 'that its Node is not known to be its own',
    says: /the Machine's own is unknown|is another server's/,
  };
}

export const exclusionOf = ({ plan }: Case): string =>
  plan.api === 'openshift' ? 'machine.openshift.io/exclude-node-draining' : exclusions.drain;
