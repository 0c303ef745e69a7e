import type { Config } from '../../shared/runtime/config.ts';
import type { PlayedHook } from './platform/functions/played.ts';
import type { Random } from './random.ts';

/** What a world is made with. */
export interface WorldParts {
  random: Random;
  /** Names of the workload clusters. */
  workloads: readonly string[];
  /** The only served version of Cluster API. By default all are served, and the newest one is watched. */
  version?: 'v1beta1' | 'v1beta2';
  /** Cluster API writes since when it waits for hooks, as it does from 1.14 on. */
  tellsOfHooks?: boolean;
  /** Cluster API's own controller goes on beside phaseout. By namespace and name of a Cluster: where its Nodes are. */
  peer?: Readonly<Record<string, string>>;
  /** Other Machine APIs whose own controllers go on beside phaseout. */
  otherPeers?: readonly ('openshift' | 'v1alpha1')[];
  /** So long after the beginning the hook watchdog looks first; there is none if it is not given. */
  deadManMilliseconds?: number;
  /** The DeletionHooks whose functions are played; their kind is not there where none are given. */
  deletionHooks?: readonly PlayedHook[];
  /** Deployments are rolled out; without it their controller does not run. */
  rollsOut?: boolean;
  instances: number;
  /** The number of Services that share the instances, each with functions of its own. One by default. */
  services?: number;
  config: Partial<Config>;
  /** The most objects on a page of a list. Without it, a page has as many as the client asks for. */
  pageSize?: number;
  /** The seconds between two ticks that ask for due work, a divisor of 60. By default as declared. */
  dueSeconds?: number;
  /** How often the tick comes that asks for everything, in minutes; as it is declared if it is not given. */
  allMinutes?: number;
  /** The longest that a step usually takes, in milliseconds. */
  latencyMilliseconds: number;
}
