import type { Machine } from '../../machine/machine.ts';
import { phasesOf } from '../../machine/phase.ts';
import { type MachineEvent, warning } from '../../machine/report.ts';
import type { Dialect } from '../dialect.ts';
import { finalizerHold } from '../hold.ts';
import type { Moment } from '../moment.ts';
import { clusterMachines, controlPlaneMembers, nodeDeletion } from './node-deletion.ts';
import { group, read } from './read.ts';

const finalizer = 'machine.cluster.k8s.io';

/** Kubernetes' own, which makes a Machine wait for what it owns. Kubernetes takes it off again. */
const deleteDependents = 'foregroundDeletion';

/**
 * The Machines that Cluster API began with: no hooks, no drain, no conditions and no pause. The provider is asked to
 * remove the server, and then the Node goes.
 */
export const originalApi: Dialect = {
  name: 'v1alpha1',
  group,
  versions: ['v1alpha1'],
  plural: 'machines',
  finalizer,
  hold: finalizerHold(finalizer),
  phases: phasesOf('v1alpha1'),
  termination: { by: 'actuator', goneWhen: 'accepted', forgives: () => false },
  drain: {
    labels: 'with-rules',
    daemonSets: 'of-any-group',
    cordonsOneControlPlaneNodeAtATime: false,
    hurriesPodsOfUnreachableNodes: false,
    unreadNode: (_name, why) => why,
  },
  watchFilterLabel: undefined,
  findsNodes: false,
  sparesOwnMachine: true,
  leavesNodeWithoutAccess: true,
  showsProgress: false,
  managesServers: true,
  read,
  workload: ({ ref: { namespace }, clusterName }) =>
    clusterName === undefined ? undefined : { kind: 'cluster', namespace, clusterName },
  clusterNameOf: ({ clusterName }) => clusterName,
  finalizersOf: ({ clusterName }: Machine) =>
    clusterName === undefined ? [finalizer] : [deleteDependents, finalizer],
  hooks: () => [],
  bypassedHooks: () => [],
  passesHooks: () => false,
  hookMessage: () => '',
  hookOwner: () => undefined,
  pausedBy: () => [],
  invalidity: () => undefined,
  isDone: () => false,
  isDrainExcluded: () => false,
  isVolumeWaitExcluded: () => false,
  nodeDeletion,
  gate: () => ({ allowed: true }),
  isNodeDeletionOver: () => false,
  controlPlaneOf: () => undefined,
  clusterMachines,
  controlPlaneMembers,
  startTimes: () => ({}),
  hasWaitedForHooks: () => true,
  worthSeeing: () => [],
  events,
  status: () => ({}),
};

/**
 * The original controller wrote no Events and no status: users had to read its log. These are phaseout's own, for what
 * holds a deletion up.
 */
function events({ nodeName }: Machine, moment: Moment): MachineEvent[] {
  if (moment.what === 'server-failed') {
    return [warning('FailedDelete', `error deleting Machine's instance: ${moment.why}`)];
  }
  if (moment.what === 'node-failed') {
    return [warning('FailedDeleteNode', `error deleting Machine's node "${nodeName ?? ''}": ${moment.why}`)];
  }
  if (moment.what === 'blind' || moment.what === 'unwritten') return [warning('FailedDelete', moment.why)];
  if (moment.what === 'server-stays') return [warning('DeletionLate', moment.why)];
  if (moment.what === 'refused') return [warning('DeletionRefused', moment.why)];
  return [];
}
