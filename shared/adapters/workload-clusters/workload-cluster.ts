import type { Kubernetes, WorkloadCluster } from '../../kubernetes/client.ts';
import { NoCredentials, noClient, Unavailable } from '../../kubernetes/errors.ts';
import { nodes, secrets } from '../../kubernetes/resources.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';
import { type ConnectedKubernetes, type ConnectOptions, connect } from '../kubernetes/connect.ts';
import type { KubeConfig } from '../kubernetes/kube-config.ts';
import type { ApiRequest, Contact, Transport } from '../kubernetes/request.ts';
import { createTransport } from '../kubernetes/transport.ts';
import { createOutage, type Outage } from './circuit-breaker.ts';
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
  /** Of what the Secret said. */
  age: Stopwatch;
  /** The server refused our credentials or could not be reached: the Secret may say something else by now. */
  inDoubt: boolean;
}

const secretKeptMilliseconds = 10 * 60_000;
/** For so long the Secret is taken at its word even where a Node is not there. */
const sureMilliseconds = 5_000;
const probeMilliseconds = 10_000;

export function createWorkloadCluster(
  management: Pick<Kubernetes, 'get'>,
  cluster: { namespace: string; clusterName: string },
  options: WorkloadClustersOptions,
): WorkloadClusterAccess {
  const { clock } = options;
  const outage = createOutage(clock, probeMilliseconds);
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
    // Another address or another certificate deserves a try, whatever became of the last one.
    outage.ended();
    const confirmed = withNodesConfirmed(kubernetes, () => confirm(kubernetes));
    return { kubernetes, cluster: withLimit(confirmed, limit), secretVersion, age, inDoubt: false };
  }

  function connectNoting(kubeConfig: KubeConfig): ConnectedKubernetes {
    const { carry = createTransport, ...connecting } = options.connection ?? {};
    const kubernetes = connect(kubeConfig, {
      ...connecting,
      clock,
      carry: (source, carrying) => outageText(outage, carry(source, carrying)),
      onContact(contact, request, why) {
        // What is left of a connection that was replaced says nothing about the one in use.
        if (connection?.kubernetes !== kubernetes || !provesSomething(contact, request)) return;
        connection.inDoubt = contact !== 'answered';
        note(outage, contact, why);
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
      const down = outage.reason();
      if (down !== undefined) throw isDown(down);
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
 * Only a read that got no answer speaks against the server: writes, evictions above all, may take their time. A watch
 * that cannot be opened does not: it has a connection of its own, which may be cut while all reads are answered.
 */
function provesSomething(contact: Contact, { verb, method }: ApiRequest): boolean {
  if (verb === 'watch') return !isFailure(contact);
  return contact !== 'silent' || method === 'GET';
}

const isFailure = (contact: Contact): boolean => contact === 'unreachable' || contact === 'silent';

function note(outage: Outage, contact: Contact, why: string): void {
  if (isFailure(contact)) outage.failed(why);
  else outage.ended();
}

/** The API with the limit that all evictions of its cluster share. */
export function withLimit(kubernetes: Kubernetes, limit: EvictionLimit): WorkloadCluster {
  return {
    ...kubernetes,
    evictAll: (evictions) => limit.evictAll(kubernetes, evictions),
  };
}

/**
 * A cluster that was left for another one may still answer, and knows nothing of the Nodes of the other one: that a Node
 * is not there is believed only of the cluster that is meant now. `confirm` throws where this is not that one any more.
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

/** What everybody is told of a cluster while it is down. */
const isDown = (why: string, cause?: unknown): Unavailable =>
  new Unavailable(`connection to the workload cluster is down: ${why}`, { cause, statusText: noClient });

/**
 * Who tries during an outage whether it is over, and it is not, says of it what all the others are told. Who meets it first
 * tells the log what it was.
 */
function outageText(outage: Outage, transport: Transport): Transport {
  return {
    label: (request) => transport.label(request),
    open: (request, signal) => transport.open(request, signal),
    close: () => transport.close(),
    async ask(request) {
      const wasDown = outage.why() !== undefined;
      try {
        return await transport.ask(request);
      } catch (error) {
        const why = outage.why();
        if (why === undefined || !(error instanceof Unavailable)) throw error;
        throw wasDown
          ? isDown(why, error)
          : new Unavailable(error.message, { cause: error, statusText: noClient });
      }
    },
  };
}
