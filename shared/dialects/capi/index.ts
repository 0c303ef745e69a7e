import { noClient } from '../../kubernetes/errors.ts';
import { phases } from '../../machine/phase.ts';
import type { Dialect } from '../dialect.ts';
import { finalizerHold } from '../hold.ts';
import { hasWaitedForHooks } from './attempted.ts';
import { clusterNameOf, workload } from './cluster-ref.ts';
import { clusterMachines, controlPlaneMembers, controlPlaneOf } from './control-plane.ts';
import { startTimes } from './deletion-times.ts';
import { events } from './events.ts';
import { isDrainExcluded, isVolumeWaitExcluded } from './exclusions.ts';
import { finalizer, finalizersOf } from './finalizer.ts';
import { gate, isNodeDeletionOver } from './gates.ts';
import { hookMessage, hookOwner, hooksOfOthers } from './hooks.ts';
import { nodeDeletion } from './node-deletion.ts';
import { pausedBy } from './pause.ts';
import { read } from './read.ts';
import { group } from './schemas.ts';
import { status } from './status.ts';
import { worthSeeing } from './status-reads.ts';

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
  phases: phases.filter((phase) => phase !== 'hand-over'),
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
  workload,
  clusterNameOf,
  finalizersOf,
  hooks: hooksOfOthers,
  bypassedHooks: () => [],
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
