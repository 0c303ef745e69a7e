import * as z from 'zod';
import type { KubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { forwardTo, type PodPort } from '../../../shared/adapters/kubernetes/port-forward.ts';
import type { Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import { pods } from '../../../shared/kubernetes/resources.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';
import type { Outside } from '../../terminal/outside.ts';
import type { ServiceAddress } from './installed.ts';
import { openTable } from './open-table.ts';
import type { NamedTable } from './options.ts';
import { NotOpen, type OpenArchive, type Patience } from './way.ts';

const services: Resource = { group: '', version: 'v1', plural: 'services' };

interface Around {
  address: ServiceAddress;
  kubeConfig: KubeConfig;
  kubernetes: Pick<Kubernetes, 'get' | 'list'>;
  outside: Outside;
  closing: AsyncDisposableStack;
  patience: Patience;
}

/** A store that only the cluster can reach, through its API server. Throws NotOpen, Unread. */
export async function openForwarded(table: NamedTable, around: Around): Promise<OpenArchive> {
  const { address, kubeConfig, kubernetes, outside, closing, patience } = around;
  const to = await podPortOf(kubernetes, address);
  const forwarded = await forwardTo(kubeConfig, to);
  closing.defer(() => forwarded.close());
  const { archive, where } = openTable(table, { outside, closing, patience, agent: forwarded.agent });
  const through = `port-forward to Pod ${to.namespace}/${to.pod}`;
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      const refusal = forwarded.refusal();
      if (refusal === undefined || !(error instanceof StoreUnavailable)) throw error;
      throw new StoreUnavailable(`${through}: ${refusal}`, error);
    }
  };
  const asked: OpenArchive['archive'] = {
    history: (uid) => asking(() => archive.history(uid)),
    podRecords: (uid) => asking(() => archive.podRecords(uid)),
    machinesBy: (clue) => asking(() => archive.machinesBy(clue)),
    due: (now, limit) => asking(() => archive.due(now, limit)),
  };
  return { archive: asked, where: `${where}, through a ${through}` };
}

const serviceSpec = z.object({
  selector: z.record(z.string(), z.string()),
  ports: z.array(z.object({ port: z.number(), targetPort: z.union([z.string(), z.number()]).optional() })),
});

/** A Pod behind the Service that is ready, and its port. Throws NotOpen, Unread. */
async function podPortOf(
  kubernetes: Around['kubernetes'],
  { namespace, service: name, port }: ServiceAddress,
): Promise<PodPort> {
  const label = `Service ${namespace}/${name}`;
  const service = await kubernetes.get(services, { namespace, name });
  if (service === undefined)
    throw new NotOpen(`${label}, which the functions' store is behind, is not there`);
  const spec = serviceSpec.safeParse(service['spec']).data;
  const target = spec?.ports.find((each) => each.port === port);
  if (spec === undefined || target === undefined)
    throw new NotOpen(`${label} has no Pods behind its port ${port}`);
  const labelSelector = Object.entries(spec.selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const { items } = await kubernetes.list(pods, { namespace, labelSelector });
  const ready = items.map((item) => podSchema.safeParse(item).data).find((pod) => pod && isReady(pod));
  if (ready === undefined) throw new NotOpen(`no Pod of ${label} is ready`);
  const found = portIn(ready, target.targetPort ?? port);
  if (found === undefined) throw new NotOpen(`no container of Pod ${ready.metadata.name} names the port`);
  return { namespace, pod: ready.metadata.name, port: found };
}

const podSchema = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    containers: z.array(
      z.object({
        ports: z.array(z.object({ name: z.string().optional(), containerPort: z.number() })).default([]),
      }),
    ),
  }),
  status: z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]) }),
});
type ServingPod = z.infer<typeof podSchema>;

const isReady = ({ status }: ServingPod): boolean =>
  status.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');

function portIn({ spec }: ServingPod, target: string | number): number | undefined {
  if (typeof target === 'number') return target;
  const ports = spec.containers.flatMap((container) => container.ports);
  return ports.find(({ name }) => name === target)?.containerPort;
}
