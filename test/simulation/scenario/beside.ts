import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { World } from '../world.ts';
import type { MachinePlan } from './model.ts';

/** The hook by which phaseout holds Machines beside Cluster API's own controller, and its value. */
export const ourHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
export const ourName = 'phaseout.dev';

/** By which a person keeps our hook off a Machine that lives. */
export const releasedBy = 'phaseout.dev/released';
/** By which clusterctl marks what it has moved elsewhere: its server lives on. */
export const deletedForMove = 'clusterctl.cluster.x-k8s.io/delete-for-move';

/** By which that controller is told not to drain, or not to wait for volumes. */
export const exclusions = {
  drain: 'machine.cluster.x-k8s.io/exclude-node-draining',
  'volume-detach': 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
} as const;

/** Whether Cluster API's own controller goes on beside phaseout, as to this Machine. */
export const isBeside = ({ config }: Pick<World, 'config'>, { api }: Pick<MachinePlan, 'api'>): boolean =>
  api === 'capi' && config.mode.capi === 'beside';

/** It waits for phaseout. */
export const hasOurHook = ({ metadata }: KubeObject): boolean => metadata.annotations?.[ourHook] === ourName;
