import type { Config } from '../../shared/runtime/config.ts';
import type { Random } from './random.ts';

/** What a world is made with. */
export interface WorldParts {
  random: Random;
  /** Names of the workload clusters. */
  workloads: readonly string[];
  /** The only version of Cluster API that is served; all are, and the newest one is watched, if it is not given. */
  version?: 'v1beta1' | 'v1beta2';
  /** Cluster API tells since when hooks are waited for, as it does from 1.14 on. */
  tellsOfHooks?: boolean;
  /** Cluster API's own controller goes on beside phaseout. By namespace and name of a Cluster: where its Nodes are. */
  peer?: Readonly<Record<string, string>>;
  /** Other Machine APIs whose own controllers go on beside phaseout. */
  otherPeers?: readonly ('openshift' | 'v1alpha1')[];
  /** So long after the beginning the dead man looks first; there is none if it is not given. */
  deadManMilliseconds?: number;
  instances: number;
  /** How many Services they are parted into, each of which serves functions of its own; one if it is not given. */
  services?: number;
  config: Partial<Config>;
  /** The most objects that a page of a list has; as many as are asked for if it is not given. */
  pageSize?: number;
  /** How often the tick comes that asks for what is due, a divisor of 60; as it is declared if it is not given. */
  dueSeconds?: number;
  /** How often the tick comes that asks for everything, in minutes; as it is declared if it is not given. */
  allMinutes?: number;
  /** The longest that a step usually takes, in milliseconds. */
  latencyMilliseconds: number;
}
