import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { withinDeadline } from '../../../shared/async/timeout.ts';
import type { Kubernetes, Selection } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { namespaces } from '../../../shared/kubernetes/resources.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { Outside } from '../../terminal/outside.ts';
import { apiNameOf } from '../api-names.ts';
import { contextsOf, wayTo } from '../look/kubeconfig.ts';
import type { Asked } from './asked.ts';

/** A shell stands still for no longer. */
const patienceMilliseconds = 2_000;
const requestTimeoutSeconds = 1;

const late = (): Error => new Error('it takes too long');

/** The names that only a kubeconfig or a cluster knows. None where they cannot be had in time: a shell has no place for errors. */
export async function namesFor(asked: Asked, outside: Outside): Promise<string[]> {
  try {
    return await withinDeadline(outside.clock, patienceMilliseconds, () => namesOf(asked, outside), late);
  } catch {
    return [];
  }
}

async function namesOf(asked: Asked, outside: Outside): Promise<string[]> {
  const { kubeconfig, context } = asked;
  if (asked.kind === 'contexts') return contextsOf({ kubeconfig, context: undefined }, outside);
  const kubeConfig = await wayTo({ kubeconfig, context }, outside);
  const { clock } = outside;
  const kubernetes = connect(kubeConfig, { clock, requestTimeoutSeconds, userAgent: 'phaseout-cli' });
  try {
    return asked.kind === 'namespaces' ? await namespacesIn(kubernetes) : await machinesIn(kubernetes, asked);
  } finally {
    void kubernetes.close();
  }
}

type Reading = Pick<Kubernetes, 'discover' | 'list'>;

const namesAlone = ({ metadata: { namespace, name } }: KubeObject): KubeObject => ({
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});

async function namespacesIn(kubernetes: Reading): Promise<string[]> {
  const { items } = await kubernetes.list(namespaces, {}, namesAlone);
  return items.map(({ metadata }) => metadata.name);
}

/** As they are typed: without the namespace where `-n` says it, with the API where there are several. */
async function machinesIn(kubernetes: Reading, { namespace, begun }: Asked): Promise<string[]> {
  const apis = await servedMachineApis(kubernetes, '');
  const within = namespace ?? begun;
  const where: Selection = within === undefined ? {} : { namespace: within };
  const lists = await Promise.all(
    apis.map(async ({ dialect, resource }) => {
      const { items } = await kubernetes.list(resource, where, namesAlone);
      const api = apis.length > 1 ? `${apiNameOf(dialect.group)}:` : '';
      return items.map(({ metadata }) =>
        namespace === undefined ? `${api}${metadata.namespace}/${metadata.name}` : `${api}${metadata.name}`,
      );
    }),
  );
  return lists.flat();
}
