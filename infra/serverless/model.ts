import type * as z from 'zod';
import type { MachineApiName } from '../../shared/dialects/registry.ts';
import type { Permission } from './permissions-schema.ts';
import type { deliverySchema, providerSchema } from './provider-schema.ts';

type WrittenProvider = z.infer<typeof providerSchema>;

/** One entry of a Trigger's `filters`, in a dialect of the CloudEvents Subscriptions API. */
export type Filter =
  | { exact: Record<string, string> }
  | { prefix: Record<string, string> }
  | { suffix: Record<string, string> }
  | { any: Filter[] }
  | { all: Filter[] }
  | { not: Filter }
  | { cesql: string };

/** A Trigger's two ways to choose events. `filters` wins where both say something. */
export interface Selection {
  filter?: { attributes: Record<string, string> };
  filters?: Filter[];
}

/** Times are ISO 8601, as Knative takes them. */
export type Delivery = z.infer<typeof deliverySchema>;

export interface Broker {
  name: string;
  namespace: string;
  /** The cluster's default if absent. */
  class?: string;
  config?: { apiVersion: string; kind: string; name: string; namespace?: string };
  annotations: Record<string, string>;
  delivery?: Delivery;
  /** The function that takes what a Trigger gave up, of those that name no sink of their own. */
  deadLetter?: Subscriber;
}

/** Where a Trigger delivers: a path of a Knative Service, one path per function. */
export interface Subscriber {
  service: string;
  path: string;
}

/** A Knative Trigger: the events that a subscriber gets from a broker. */
export interface Trigger extends Selection {
  name: string;
  namespace: string;
  broker: string;
  subscriber: Subscriber;
  delivery?: Delivery;
  /** It takes changes of this Machine API. */
  machineApi?: MachineApiName;
}

export type ChangeName = 'add' | 'update' | 'delete';

/** Sends changes of one resource to the Broker, whole objects (mode Resource), of all namespaces if none is named. */
export interface ApiServerSource {
  name: string;
  namespace: string;
  apiVersion: string;
  kind: string;
  plural: string;
  labelSelector?: string;
  namespaces?: string[];
  /** Set where the resource is the Machines of one. */
  machineApi?: MachineApiName;
}

/** A Knative PingSource: an event on a schedule. */
export interface PingSource {
  name: string;
  namespace: string;
  schedule: string;
  /** The schedule while nothing is being deleted, where it is another. */
  atRest?: string;
  contentType?: string;
  /** The text sent, verbatim. */
  data?: string;
  ceOverrides?: { extensions: Record<string, string> };
}

interface FunctionEntry {
  name: string;
  /** File in this repository. */
  handler: string;
  service: string;
}

/** Scaling of a Knative Service, with the fields of its Revision template. */
export type Scaling = WrittenProvider['scaling'];

/** As Kubernetes writes quantities. */
export type Resources = WrittenProvider['resources'];

/** A Knative Service and the functions that it runs. */
export interface KnativeService {
  name: string;
  namespace: string;
  functions: string[];
  scaling: Scaling;
  resources: Resources;
  environment: Record<string, string>;
  serviceAccountName: string;
}

/** Who may reach the functions, by namespace, and which ports they may reach. */
export type Network = NonNullable<WrittenProvider['network']>;

/** What serverless.yml says, with every default filled in and every name resolved. */
export interface ServerlessFile {
  service: string;
  namespace: string;
  image: string;
  /** ServiceAccounts of the sources and of the table's Job; each Service names that of its functions. */
  serviceAccounts: { functions: string; sources: string; table: string };
  /** For all Services. */
  environment: Record<string, string>;
  network?: Network;
  broker: Broker;
  functions: FunctionEntry[];
  services: KnativeService[];
  triggers: Trigger[];
  apiServerSources: ApiServerSource[];
  pingSources: PingSource[];
  permissions: Permission[];
}
