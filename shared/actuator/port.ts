import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';

/** Why a provider cannot do what it was asked: the words of the Machine APIs' `status.errorReason`. */
export const machineErrorReasons = [
  'InvalidConfiguration',
  'UnsupportedChange',
  'InsufficientResources',
  'CreateError',
  'UpdateError',
  'DeleteError',
] as const;

/** Reasons that OpenShift knows for a Machine in error. */
export type MachineErrorReason = (typeof machineErrorReasons)[number];

/** The Machine an actuator is asked about, with the Cluster object where its API has one. */
export interface ActuatorTarget {
  machine: KubeObject;
  cluster: KubeObject | undefined;
}

/** The provider's own word that it could not do it. */
export type ActuatorRefusal =
  /** `reason` is one of its API's reasons, or absent where the provider knows none that fits. */
  | { kind: 'failed'; reason: MachineErrorReason | undefined; message: string }
  /** Not an error: the provider asks to be called again after so many seconds. */
  | { kind: 'retry'; afterSeconds: number; message: string };

/**
 * What the provider has learnt of the server and wants to see on the Machine. It is written whenever it differs. So it
 * must not differ without cause: no times of looks, no lists in changing order. That of addresses says nothing.
 */
export interface ActuatorReport {
  providerID?: string;
  addresses?: { type: string; address: string }[];
  /** The provider's own object, for `status.providerStatus`. */
  providerStatus?: Record<string, unknown>;
}

/** Whether the provider has the Machine's server. */
export type Existence =
  | { kind: 'exists'; retryAfterSeconds?: number }
  /** The provider says so itself; never concluded from an error. */
  | { kind: 'absent' }
  | ActuatorRefusal;

/** What a create or an update came to. */
export type ActuatorAnswer = { kind: 'done'; report: ActuatorReport } | ActuatorRefusal;

/** What the request to remove the server came to. */
export type DeleteAnswer = { kind: 'accepted' } | ActuatorRefusal;

/**
 * The provider of a Machine API that has no infrastructure objects: it makes, changes and removes the servers
 * themselves. Every call is idempotent and may be repeated. Throws Unavailable when the provider could not be
 * asked, or gave no usable answer: then nothing is known.
 */
export interface Actuator {
  exists(target: ActuatorTarget): Promise<Existence>;
  create(target: ActuatorTarget): Promise<ActuatorAnswer>;
  update(target: ActuatorTarget): Promise<ActuatorAnswer>;
  /** Asks for the end of the server. Accepted does not mean gone. */
  delete(target: ActuatorTarget): Promise<DeleteAnswer>;
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new Unavailable('no provider is configured: PHASEOUT_ACTUATOR_URL says where the servers are kept'),
  );

/** Stands where no provider is configured: nothing is known of any server. */
export const noActuator: Actuator = { exists: refuse, create: refuse, update: refuse, delete: refuse };
