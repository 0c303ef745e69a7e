import { noClient } from '../../kubernetes/errors.ts';
import { phasesOf } from '../../machine/phase.ts';
import type { Dialect } from '../dialect.ts';
import { finalizerHold } from '../hold.ts';
import {
  finalizer,
  finalizersOf,
  hookMessage,
  hookOwner,
  hooksOfOthers,
  isDrainExcluded,
  isVolumeWaitExcluded,
  pausedBy,
} from './annotations.ts';
import {
  clusterMachines,
  clusterNameOf,
  controlPlaneMembers,
  controlPlaneOf,
  nodeDeletion,
  workload,
} from './control-plane.ts';
import { startTimes } from './deletion-times.ts';
import { events } from './events.ts';
import { gate, isNodeDeletionOver } from './gates.ts';
import { nodeReadiness } from './node-readiness.ts';
import { group, read } from './read.ts';
import { hasWaitedForHooks, status, worthSeeing } from './status.ts';

/** Where there is no way to the workload cluster, its Node was not even asked for. */
const unreadNode = (name: string, why: string): string =>
  why.startsWith(noClient) ? why : `unable to get Node ${name}: ${why}`;

/** Machines of Cluster API, v1beta2 and v1beta1. */
export const clusterApi: Dialect = {
  name: 'cluster-api',
  group,
  versions: ['v1beta2', 'v1beta1'],
  plural: 'machines',
  finalizer,
  hold: finalizerHold(finalizer),
  phases: phasesOf('capi'),
  termination: { by: 'object' },
  drain: {
    labels: 'always',
    daemonSets: 'of-any-group',
    cordonsOneControlPlaneNodeAtATime: false,
    hurriesPodsOfUnreachableNodes: false,
    unreadNode,
  },
  watchFilterLabel: `${group}/watch-filter`,
  findsNodes: true,
  sparesOwnMachine: false,
  leavesNodeWithoutAccess: false,
  showsProgress: true,
  managesServers: false,
  read,
  nodeReadiness,
  workload,
  clusterNameOf,
  finalizersOf,
  hooks: hooksOfOthers,
  bypassedHooks: () => [],
  passesHooks: () => false,
  hookMessage,
  hookOwner,
  pausedBy,
  invalidity: () => undefined,
  isDone: () => false,
  isDrainExcluded,
  isVolumeWaitExcluded,
  nodeDeletion,
  gate,
  isNodeDeletionOver,
  controlPlaneOf,
  clusterMachines,
  controlPlaneMembers,
  startTimes,
  hasWaitedForHooks,
  worthSeeing,
  events,
  status,
};
