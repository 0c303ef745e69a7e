import { controlPlaneMembersSelector, controlPlaneOf } from './control-plane.ts';
import { isDrainExcluded, isVolumeWaitExcluded } from './exclusions.ts';
import { gate, isNodeDeletionOver } from './gates.ts';
import { hookMessage, hooks } from './hooks.ts';
import { nodeDeletion } from './node-deletion.ts';
import { pausedBy } from './pause.ts';
import { read } from './read.ts';
import { group } from './schemas.ts';
import { startTimes } from './start-times.ts';
import { status } from './status.ts';
import { worthSeeing } from './worth-seeing.ts';
import { phases } from '../../machine/phase.ts';
import type { Dialect } from '../dialect.ts';

/** Machines of Cluster API, v1beta2 and v1beta1. */
export const clusterApi: Dialect = {
  name: 'cluster-api',
  group,
  versions: ['v1beta2', 'v1beta1'],
  plural: 'machines',
  finalizer: 'machine.cluster.x-k8s.io',
  phases,
  resource: (version) => ({ group, version, plural: 'machines' }),
  read,
  hooks,
  hookMessage,
  pausedBy,
  isDrainExcluded,
  isVolumeWaitExcluded,
  nodeDeletion,
  gate,
  isNodeDeletionOver,
  controlPlaneOf,
  controlPlaneMembersSelector,
  startTimes,
  worthSeeing,
  status,
};
