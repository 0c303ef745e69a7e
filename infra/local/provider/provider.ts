import type { Actuator } from '../../../shared/actuator/port.ts';
import type { Cloud } from './cloud.ts';

/** What keeps the servers of the local platform's Machines. */
export interface LocalProvider {
  /** What the local controllers know of the servers; undefined where no Machine API has them kept by a provider. */
  cloud: Cloud | undefined;
  /** Asked by the functions instead of the one that the environment names. */
  actuator?: Actuator;
  /** By which the functions find the provider. */
  env: Env;
  close(): Promise<void>;
}

export type Env = Readonly<Record<string, string | undefined>>;
