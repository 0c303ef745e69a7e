import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Actor } from './actor.ts';

export type EffectKind =
  | 'evict'
  | 'delete Pod'
  | 'restart'
  | 'cordon'
  | 'show drain'
  | 'delete Node'
  | 'delete infrastructure'
  | 'delete bootstrap'
  | 'write Machine'
  | 'write status'
  | 'take finalizer'
  | 'hand over'
  | 'mark drained'
  | 'write hook status'
  | 'write policy status'
  | 'Event'
  | 'Lease'
  | 'PingSource'
  | 'unknown';

/** What sends Pods off their Node. What DrainPolicies have done in the place of evictions is held to the same. */
export const sendsPodsAway = ['evict', 'delete Pod', 'restart'] as const satisfies readonly EffectKind[];

/** Something that an instance is about to do to the world through an API server. */
export interface Effect {
  kind: EffectKind;
  exchange: Exchange;
  /** Whose it is; undefined where it belongs to no Machine of the scenario. */
  plan: MachinePlan | undefined;
  /** That Machine as it is now, or was last. */
  machine: KubeObject | undefined;
  /** What it is done to, as it is now; undefined where that is not there. */
  object: KubeObject | undefined;
  /** UID that the request names. */
  uid: string | undefined;
  actor: Actor;
  /** As the story tells it: `instance-2 deletes Node node-1 in blue`. */
  label: string;
}
