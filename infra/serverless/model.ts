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
export interface Delivery {
  /** Retries after the first attempt. */
  retry?: number;
  backoffPolicy?: 'exponential' | 'linear';
  backoffDelay?: string;
  /** Of one attempt. */
  timeout?: string;
  /** Absolute URI. */
  deadLetterSink?: string;
  format?: 'json' | 'binary';
}

export interface Broker {
  name: string;
  namespace: string;
  annotations: Record<string, string>;
  delivery?: Delivery;
}

/** Where a Trigger delivers: a path of a Knative Service, one path per function. */
interface Subscriber {
  service: string;
  path: string;
}

export interface Trigger extends Selection {
  name: string;
  namespace: string;
  broker: string;
  subscriber: Subscriber;
  delivery?: Delivery;
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
}

export interface PingSource {
  name: string;
  namespace: string;
  schedule: string;
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

interface Scaling {
  minScale: number;
  maxScale: number;
  /** Requests one instance takes at a time; 0 is no limit. */
  containerConcurrency: number;
  timeoutSeconds: number;
}

export interface KnativeService {
  name: string;
  namespace: string;
  functions: string[];
  scaling: Scaling;
  environment: Record<string, string>;
  serviceAccountName: string;
}

/** What serverless.yml says, with every default filled in and every name resolved. */
export interface ServerlessFile {
  service: string;
  broker: Broker;
  functions: FunctionEntry[];
  services: KnativeService[];
  triggers: Trigger[];
  apiServerSources: ApiServerSource[];
  pingSources: PingSource[];
}
