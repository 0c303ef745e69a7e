import { createPingTicks } from '../../../infra/host/ping-ticks.ts';
import { secretToken } from '../../../shared/adapters/actuator/secret-token.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { type Dialect, resourceOf } from '../../../shared/dialects/dialect.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { atRestAnnotation, whileDeletingAnnotation } from '../../../shared/runtime/ping-schedule.ts';
import { pingSourceDefinition } from '../missed-events/schedules.ts';
import { carrying, kubeconfigOf } from '../stage/carriage.ts';
import type { ClusterStage } from '../stage/cluster-stage.ts';
import { serverAs, type UserName } from '../stage/identities.ts';

/** A connection of ours, beside those of the instances. */
function connectedAs(fleet: ClusterStage, user: UserName): Kubernetes {
  const carry = carrying({ serverAt: () => serverAs(fleet.server, user) });
  return connect(loadKubeConfig({ text: kubeconfigOf('management') }), { clock: fleet.clock, carry });
}

/** The objects that the configuration names. */
export function configured(fleet: ClusterStage, namespace: string): void {
  fleet.create('customresourcedefinitions.apiextensions.k8s.io', pingSourceDefinition);
  const annotations = { [whileDeletingAnnotation]: '*/5 * * * * *', [atRestAnnotation]: '0 */3 * * * *' };
  fleet.create('pingsources.sources.knative.dev', {
    apiVersion: 'sources.knative.dev/v1',
    kind: 'PingSource',
    metadata: { name: 'sweep-due', namespace, annotations },
    spec: { schedule: '0 */3 * * * *' },
  });
  const data = { token: Buffer.from('s3cret').toString('base64') };
  fleet.create('secrets', { metadata: { name: 'provider-token', namespace }, type: 'Opaque', data });
}

/** What the functions ask for themselves: on the stage the provider needs no token, and no PingSource ticks. */
export async function asksForItself(
  fleet: ClusterStage,
  namespace: string,
  { hasProvider }: { hasProvider: boolean },
): Promise<void> {
  const kubernetes = connectedAs(fleet, 'functions');
  const { clock } = fleet;
  const pingSource = { namespace, name: 'sweep-due' };
  await createPingTicks({ kubernetes, clock, log: silent, pingSource }).start();
  if (!hasProvider) return;
  await secretToken(kubernetes, { namespace, name: 'provider-token' }, clock).current();
}

/** What Knative asks in the name of a source. It checks all three verbs before it starts the adapter. */
export async function isWatched(fleet: ClusterStage, dialect: Dialect, namespace: string): Promise<void> {
  const kubernetes = connectedAs(fleet, namespace === 'fleet' ? 'sources' : 'sourcesOfOpenShift');
  const resource = resourceOf(dialect, dialect.versions[0] ?? '');
  const { items, resourceVersion } = await kubernetes.list(resource, { namespace });
  const stop = kubernetes.watch(resource, { namespace }, resourceVersion, {
    changed: () => undefined,
    ended: () => undefined,
  });
  await kubernetes.get(resource, { namespace, name: items[0]?.metadata.name ?? 'none' });
  stop();
}
