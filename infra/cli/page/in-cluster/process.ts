import { connect } from '../../../../shared/adapters/kubernetes/connect.ts';
import type { KubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { readConfig } from '../../../../shared/runtime/config.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import type { Store } from '../../../../shared/store/port.ts';
import { findCluster } from '../../../host/find-cluster.ts';
import { openStore } from '../../../host/open-store.ts';
import { type ClusterPage, openClusterPage } from '../../../page/cluster/open.ts';
import type { Records } from '../../../page/look/records.ts';
import { type Outside, ownVariables } from '../../../terminal/outside.ts';
import { parseOptions, portOf } from '../../../terminal/parse-arguments.ts';
import { UsageError } from '../../../terminal/usage-error.ts';
import { lookerOver } from '../../look/looker-over.ts';
import { sightOf } from '../sight-of.ts';

/** As the users reach their cluster is not known here. */
const source = { kind: 'cluster', kubeconfig: undefined, context: undefined } as const;

/** Serves the page of the cluster that this runs in. Throws UsageError, ConfigInvalid, NoMachineApi, Unavailable, CannotDo. */
export async function openInCluster(
  args: readonly string[],
  packed: URL,
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<ClusterPage> {
  const { hosts, port } = readInClusterOptions(args);
  const kubeConfig = findCluster({ kubeconfig: outside.env['KUBECONFIG'] || undefined }, outside.env);
  const looker = lookerOver({ kubeConfig, goesOnWithout: 'unavailable' }, outside, closing);
  const reviews = reviewing(kubeConfig, outside, closing);
  const about = { source, subject: 'this cluster', recordsOf: recordsIn(outside, closing) };
  const { kubernetes, ...sight } = await sightOf(looker, about, outside.clock);
  const page = await openClusterPage({
    ...sight,
    hosts,
    port,
    packed,
    kubernetes: { ...kubernetes, create: (...given) => reviews.create(...given) },
  });
  closing.defer(() => page.close());
  return page;
}

/** What the looker refuses, as it writes nothing: a review is created, and nothing stays of it. */
function reviewing(kubeConfig: KubeConfig, { clock }: Outside, closing: AsyncDisposableStack) {
  const kubernetes = connect(kubeConfig, { clock, userAgent: 'phaseout-page' });
  closing.defer(() => kubernetes.close());
  return kubernetes;
}

/** The table of the functions, where the variables name one. */
function recordsIn({ env, clock }: Outside, closing: AsyncDisposableStack) {
  const config = readConfig(ownVariables(env));
  const isNamed = config.dynamodbEndpoint !== undefined || Boolean(env['AWS_REGION']);
  const opened = isNamed ? openStore(config, { env, clock, log: silent }) : undefined;
  closing.defer(() => opened?.close());
  return (uid: string): Promise<Records> => (opened === undefined ? notNamed() : readFrom(opened.store, uid));
}

const notNamed = async (): Promise<Records> => ({
  history: [],
  pods: [],
  unread: ['not read: history: neither AWS_REGION nor PHASEOUT_DYNAMODB_ENDPOINT is set'],
});

async function readFrom(store: Store, uid: string): Promise<Records> {
  const [history, pods] = await Promise.all([store.history(uid), store.podRecords(uid)]);
  const unread = store.isAvailable?.() === false ? ['not read: history: the store does not answer'] : [];
  return { history, pods, unread };
}

/** The Host that a browser sends where somebody forwards the Service's port to the same port of a computer. */
const forwarded = (port: number): string[] => [`localhost:${port}`, `127.0.0.1:${port}`];

/** Throws UsageError. */
function readInClusterOptions(args: readonly string[]) {
  const values = parseOptions(args, {
    host: { type: 'string', multiple: true },
    port: { type: 'string' },
  });
  const wrong = values.host?.find((host) => !/^[\w.-]+(:\d+)?$/.test(host));
  if (wrong !== undefined)
    throw new UsageError(`--host takes NAME or NAME:PORT, not ${JSON.stringify(wrong)}`);
  const port = portOf(values.port) ?? 8_080;
  return { port, hosts: [...(values.host ?? []), ...forwarded(port)] };
}
