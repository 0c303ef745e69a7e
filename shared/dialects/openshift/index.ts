import { phasesOf } from '../../machine/phase.ts';
import type { Dialect } from '../dialect.ts';
import { finalizerHold } from '../hold.ts';
import { events } from './events.ts';
import { bypassedHooks, hookMessage, hookOwner, hooksOfOthers, passesHooks } from './hooks.ts';
import { forgives, gate, invalidity, isDone, isDrainExcluded, pausedBy } from './judgements.ts';
import { group, read } from './read.ts';
import { status } from './status.ts';

const finalizer = 'machine.machine.openshift.io';

/** Machines of OpenShift's Machine API. Machines and Nodes are in one cluster, and no Cluster object is asked. */
export const openShift: Dialect = {
  name: 'openshift',
  group,
  versions: ['v1beta1'],
  plural: 'machines',
  finalizer,
  hold: finalizerHold(finalizer),
  phases: phasesOf('openshift'),
  termination: { by: 'actuator', goneWhen: 'absent', forgives },
  drain: {
    labels: 'with-rules',
    daemonSets: 'of-apps/v1',
    cordonsOneControlPlaneNodeAtATime: true,
    hurriesPodsOfUnreachableNodes: true,
    unreadNode: (name, why) => `unable to get node "${name}": ${why}`,
  },
  watchFilterLabel: undefined,
  findsNodes: false,
  sparesOwnMachine: false,
  leavesNodeWithoutAccess: false,
  // The status tells of the hooks and the drain, and nothing of the server and the Node.
  showsProgress: false,
  managesServers: false,
  read,
  workload: () => ({ kind: 'here' }),
  clusterNameOf: () => undefined,
  // What is paused or lacks something is not even held on to.
  finalizersOf: (machine) =>
    pausedBy(machine).length > 0 || invalidity(machine) !== undefined ? [] : [finalizer],
  hooks: hooksOfOthers,
  bypassedHooks,
  passesHooks,
  hookMessage,
  hookOwner,
  pausedBy,
  invalidity,
  isDone,
  isDrainExcluded,
  isVolumeWaitExcluded: () => false,
  nodeDeletion: ({ nodeName }, _surroundings, hasNode = nodeName !== undefined) =>
    hasNode ? { allowed: true } : { allowed: false, why: 'the Machine has no nodeRef' },
  gate,
  isNodeDeletionOver: () => false,
  controlPlaneOf: () => undefined,
  // Any namespace of the cluster may have some.
  clusterMachines: () => ({}),
  controlPlaneMembers: () => undefined,
  startTimes: () => ({}),
  hasWaitedForHooks: () => true,
  worthSeeing: () => [],
  events,
  status,
};
