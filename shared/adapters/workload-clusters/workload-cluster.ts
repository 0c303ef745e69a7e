import { CircuitBreaker } from '../../async/circuit-breaker.ts';
import type { Kubernetes, WorkloadCluster } from '../../kubernetes/client.ts';
import { NoCredentials, noClient, Unavailable } from '../../kubernetes/errors.ts';
import { nodes, secrets } from '../../kubernetes/resources.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';
import { type ConnectedKubernetes, type ConnectOptions, connect } from '../kubernetes/connect.ts';
import type { KubeConfig } from '../kubernetes/kube-config.ts';
import type { ApiRequest, Contact, Transport } from '../kubernetes/request.ts';
import { createTransport } from '../kubernetes/transport.ts';
import { createEvictionLimit, type EvictionLimit, type EvictionLimitOptions } from './eviction-limit.ts';
import { readSecretKubeConfig } from './secret-kubeconfig.ts';

export interface WorkloadClustersOptions {
  clock: Clock;
  /** Options of each connection to a workload cluster. */
  connection?: Omit<ConnectOptions, 'clock' | 'onContact'>;
  evictions?: Omit<EvictionLimitOptions, 'clock'>;
}

/** The way to one workload cluster, kept between looks. */
export interface WorkloadClusterAccess {
  /** Throws NoCredentials when the Secret is missing or broken, Unavailable while the cluster is down. */
  api(): Promise<WorkloadCluster>;
  close(): Promise<void>;
}

interface Connection {
  kubernetes: ConnectedKubernetes;
  cluster: WorkloadCluster;
  secretVersion: string | undefined;
  /** Since the Secret was read. */
  age: Stopwatch;
  /** The server refused our credentials or could not be reached: the Secret may say something else by now. */
  inDoubt: boolean;
}

const secretKeptMilliseconds = 10 * 60_000;
/** A Secret younger than this is believed even where a Node is absent. */
const sureMilliseconds = 5_000;
const probeMilliseconds = 10_000;

export function createWorkloadCluster(
  management: Pick<Kubernetes, 'get'>,
  cluster: { namespace: string; clusterName: string },
  options: WorkloadClustersOptions,
): WorkloadClusterAccess {
  const { clock } = options;
  const breaker = new CircuitBreaker(clock, probeMilliseconds);
  const limit = createEvictionLimit({ ...options.evictions, clock });
  const key = { namespace: cluster.namespace, name: `${cluster.clusterName}-kubeconfig` };
  let connection: Connection | undefined;
  let renewing: Promise<Connection> | undefined;

  async function renewed(old: Connection | undefined): Promise<Connection> {
    const age = clock.stopwatch();
    const secret = await management.get(secrets, key).catch(withoutClient);
    if (secret === undefined) throw new NoCredentials(`Secret ${key.namespace}/${key.name} does not exist`);
    const secretVersion = secret.metadata.resourceVersion;
    if (old !== undefined && secretVersion !== undefined && secretVersion === old.secretVersion) {
      return Object.assign(old, { age, inDoubt: false });
    }
    const reading = readSecretKubeConfig(secret);
    if (reading.kind === 'broken')
      throw new NoCredentials(`Secret ${key.namespace}/${key.name} ${reading.why}`);
    const kubernetes = connectNoting(reading.kubeConfig);
    void old?.kubernetes.close();
    // Another address or another certificate deserves a try.
    breaker.ended();
    const confirmed = withNodesConfirmed(kubernetes, () => confirm(kubernetes));
    return { kubernetes, cluster: withLimit(confirmed, limit), secretVersion, age, inDoubt: false };
  }

  function connectNoting(kubeConfig: KubeConfig): ConnectedKubernetes {
    const { carry = createTransport, ...connecting } = options.connection ?? {};
    const kubernetes = connect(kubeConfig, {
      ...connecting,
      clock,
      carry: (source, carrying) => withOutageText(breaker, carry(source, carrying)),
      onContact(contact, request, why) {
        // A replaced connection shows nothing about the one in use.
        if (connection?.kubernetes !== kubernetes || !provesSomething(contact, request)) return;
        connection.inDoubt = contact !== 'answered';
        if (isFailure(contact)) breaker.failed(why);
        else breaker.ended();
      },
    });
    return kubernetes;
  }

  function renew(): Promise<Connection> {
    renewing ??= renewed(connection).finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  /** Throws Unavailable where the Secret names another cluster by now, or may do so. */
  async function confirm(kubernetes: ConnectedKubernetes): Promise<void> {
    if (connection !== undefined && connection.age() >= sureMilliseconds) connection = await renew();
    if (connection?.kubernetes === kubernetes) return;
    throw new Unavailable(
      `Secret ${key.namespace}/${key.name} has changed: whether a Node is there has to be asked again`,
    );
  }

  const isFresh = ({ inDoubt, age }: Connection): boolean => !inDoubt && age() < secretKeptMilliseconds;

  return {
    async api() {
      if (breaker.pass() === 'none') throw isDown(breaker);
      if (connection === undefined || !isFresh(connection)) connection = await renew();
      return connection.cluster;
    },
    async close() {
      const last = await (renewing?.catch(() => undefined) ?? connection);
      await last?.kubernetes.close();
    },
  };
}

/** Without the Secret there is no client, and Cluster API says so. */
function withoutClient(error: unknown): never {
  if (!(error instanceof Unavailable)) throw error;
  const { message, statusText, retryAfterSeconds } = error;
  throw new Unavailable(message, {
    cause: error,
    retryAfterSeconds,
    statusText: `${noClient}: ${statusText}`,
  });
}

/**
 * Only a read without an answer shows that the server is down: writes, evictions above all, may take their time. A watch
 * that cannot be opened does not: its own connection may be cut while all reads are answered.
 */
function provesSomething(contact: Contact, { verb, method }: ApiRequest): boolean {
  if (verb === 'watch') return !isFailure(contact);
  return contact !== 'silent' || method === 'GET';
}

const isFailure = (contact: Contact): boolean => contact === 'unreachable' || contact === 'silent';

/** The API with the limit that all evictions of its cluster share. */
export function withLimit(kubernetes: Kubernetes, limit: EvictionLimit): WorkloadCluster {
  return {
    ...kubernetes,
    evictAll: (evictions) => limit.evictAll(kubernetes, evictions),
  };
}

/**
 * A cluster that was left for another one may still answer, and does not know the other one's Nodes. `confirm` throws
 * where this is that cluster: then the absence of a Node is not believed.
 */
const withNodesConfirmed = (kubernetes: Kubernetes, confirm: () => Promise<void>): Kubernetes => ({
  ...kubernetes,
  async get(resource, key) {
    const object = await kubernetes.get(resource, key);
    if (object === undefined && resource === nodes) await confirm();
    return object;
  },
  async list(resource, ...selected) {
    const list = await kubernetes.list(resource, ...selected);
    if (resource === nodes) await confirm();
    return list;
  },
});

/** The one error for a cluster while it is down. */
const isDown = ({ outage }: CircuitBreaker, cause?: unknown): Unavailable =>
  new Unavailable(`connection to the workload cluster is down: ${outage?.why}`, {
    cause,
    statusText: noClient,
  });

/** The first failure carries its own text, for the log. A later one, of a call that tries, has the text of the outage. */
const withOutageText = (breaker: CircuitBreaker, transport: Transport): Transport => ({
  label: (request) => transport.label(request),
  open: (request, signal) => transport.open(request, signal),
  close: () => transport.close(),
  async ask(request) {
    const wasDown = breaker.outage !== undefined;
    try {
      return await transport.ask(request);
    } catch (error) {
      if (breaker.outage === undefined || !(error instanceof Unavailable)) throw error;
      throw wasDown
        ? isDown(breaker, error)
        : new Unavailable(error.message, { cause: error, statusText: noClient });
    }
  },
});
