import { at, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { management } from '../../platform/clusters.ts';
import type { World } from '../../world.ts';
import { isBeside } from '../beside.ts';
import type { Blocker, MachinePlan } from '../model.ts';
import {
  annotationsOf,
  anything,
  type Case,
  caseOf,
  clusterNameOf,
  hasOwnFinalizer,
  isGivenAway,
  type Obstacle,
  othersFinalizers,
} from './case.ts';
import { copyObstacle } from './copies.ts';
import { drainObstacle, unjudgedObstacle } from './drain.ts';
import { functionObstacle } from './functions.ts';
import { hookObstacle } from './hooks.ts';
import { ownerObstacle } from './owner.ts';
import { serverObstacle } from './server.ts';
import { volumeObstacle } from './volumes.ts';

/**
 * What holds Machines that are being deleted, by the rules of their APIs. One for each Machine that stands still for
 * ever. It is about the current step of a Machine; later obstacles show when the Machine is there.
 */
export function blockersOf(world: World, machines: readonly MachinePlan[]): Blocker[] {
  return machines.flatMap((machine) => {
    const about = caseOf(world, machine);
    const obstacle = about === undefined ? undefined : obstacleOf(about);
    if (about === undefined || obstacle === undefined) return [];
    // The API's own controllers say what they say.
    return [{ machine, ...obstacle, ...(about.isPeers && { says: anything }) }];
  });
}

function obstacleOf(about: Case): Obstacle | undefined {
  if (!hasOwnFinalizer(about)) return othersObstacle(about);
  return (
    givenAway(about) ??
    pause(about) ??
    missingCluster(about) ??
    ownMachine(about) ??
    hookObstacle(about) ??
    functionObstacle(about) ??
    ofPhase(about)
  );
}

/** All that was to be done is done. */
function othersObstacle({ machine, plan }: Case): Obstacle | undefined {
  const others = othersFinalizers(machine, plan);
  if (others.length === 0) return undefined;
  return { kind: 'finalizer', what: `the finalizer ${others.join(', ')} of somebody else`, says: anything };
}

/** Who does not look after it says nothing of it. */
const givenAway = (about: Case): Obstacle | undefined =>
  isGivenAway(about)
    ? { kind: 'given away', what: 'the watch filter of somebody else', says: anything }
    : undefined;

function missingCluster({ plan, machine, cluster }: Case): Obstacle | undefined {
  const name = plan.api === 'openshift' ? '' : clusterNameOf(plan, machine);
  if (name === '' || cluster !== undefined) return undefined;
  return {
    kind: 'cluster',
    what: `the Cluster ${name} that does not exist`,
    says: /Cluster \S+ does not exist/,
  };
}

/** For as long as phaseout runs there. */
function ownMachine({ plan, machine, nodes, world: { config } }: Case): Obstacle | undefined {
  const reference = at(machine, 'status', 'nodeRef');
  if (plan.api !== 'v1alpha1' || plan.host !== management || textAt(reference, 'name') !== config.ownNode)
    return undefined;
  const node = nodes.get('nodes', undefined, config.ownNode);
  if (node === undefined || textAt(reference, 'uid') !== node.metadata.uid) return undefined;
  return { kind: 'own', what: 'that phaseout runs on it', says: /is the one that phaseout runs on/ };
}

function pause({ plan, machine, cluster, world }: Case): Obstacle | undefined {
  if (plan.api === 'openshift') return pauseByAuthority(machine);
  if (plan.api === 'v1alpha1') return undefined;
  if (at(cluster, 'spec', 'paused') === true)
    return { kind: 'paused', what: 'the pause of its Cluster', says: /Cluster spec\.paused is set to true/ };
  if (annotationsOf(machine)['cluster.x-k8s.io/paused'] === undefined) return undefined;
  // Cluster API's own controller reports nothing for a Machine without its Cluster. Phaseout writes nothing on a paused
  // Machine.
  const isUnsaid = cluster === undefined && isBeside(world, plan);
  return {
    kind: 'paused',
    what: 'its pause',
    says: isUnsaid ? anything : /cluster\.x-k8s\.io\/paused annotation/,
  };
}

function pauseByAuthority(machine: Case['machine']): Obstacle | undefined {
  const spec = textAt(machine, 'spec', 'authoritativeAPI');
  const authority = textAt(machine, 'status', 'authoritativeAPI') || spec;
  if (authority === '' || authority === 'MachineAPI') return undefined;
  return { kind: 'paused', what: 'the other API that rules it', says: /AuthoritativeAPI status is set to/ };
}

/** Whose its Node is comes first, unless the API's own controllers have the Machine: they ask for its name alone. */
const ownOr = (about: Case, otherwise: () => Obstacle | undefined): Obstacle | undefined =>
  (about.isPeers ? undefined : ownerObstacle(about)) ?? otherwise();

/** Without a Node of its own, and with the server of another one, it is unknown whether it has one. */
const nodeOfCopy = (about: Case): Obstacle | undefined =>
  about.isPeers || textAt(about.machine, 'status', 'nodeRef', 'name') !== ''
    ? undefined
    : copyObstacle(about, 'infrastructure', obstacleOf);

function ofPhase(about: Case): Obstacle | undefined {
  const { phase } = about;
  if (phase === 'pre-drain') return nodeOfCopy(about);
  if (phase === 'drain') return ownOr(about, () => drainObstacle(about));
  if (phase === 'hand-over') return ownOr(about, () => unjudgedObstacle(about));
  if (phase === 'volume-detach') return ownOr(about, () => volumeObstacle(about));
  if (phase === 'infrastructure' || phase === 'bootstrap')
    return copyObstacle(about, phase, obstacleOf) ?? serverObstacle(about, phase);
  return undefined;
}
