import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import type { KubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { forbiddingTransport } from '../look/forbidden.ts';
import { wayTo } from '../look/kubeconfig.ts';
import { UnreadNotes } from '../look/unread-notes.ts';
import { openForwarded } from './forwarded.ts';
import { addressInCluster, tableOfFunctions } from './installed.ts';
import { openTable, type Patience, patient } from './open-table.ts';
import type { ArchivePlaces } from './options.ts';
import { NotOpen, type Way } from './way.ts';

/** The ways to the history, in the order in which they are tried. A table that the user names is the only one. */
export function waysTo(options: ArchivePlaces, outside: Outside, patience = patient): Way[] {
  const { named, source } = options;
  if (Object.keys(named).length > 0)
    return [{ name: byOption, open: async (closing) => openTable(named, { outside, closing, patience }) }];
  const none = { name: byOption, open: () => Promise.reject(new NotOpen('none of them is given')) };
  if (source.kind === 'cluster') return [none, byVariables(options, outside, patience)];
  const given = source.kind === 'example' ? `--example ${source.name}` : '--load';
  const why = 'there are Machines in it, and no history: that is in the store of who deletes them';
  return [none, { name: given, open: () => Promise.reject(new NotOpen(why)) }];
}

const byOption = '--table, --endpoint, --region';

/** Where the functions of the cluster have their store, from here or through the API server. */
const byVariables = (options: ArchivePlaces, outside: Outside, patience: Patience): Way => ({
  name: "the functions' own variables",
  async open(closing) {
    const kubeConfig = await kubeConfigFor(options, outside);
    const kubernetes = lookingAt(kubeConfig, outside, closing);
    const table = await tableOfFunctions(kubernetes, options.installedIn, kubeConfig.getCurrentContext());
    const address = table.endpoint === undefined ? undefined : addressInCluster(table.endpoint);
    return address === undefined
      ? openTable(table, { outside, closing, patience })
      : openForwarded(table, { address, kubeConfig, kubernetes, outside, closing, patience });
  },
});

/** Without a kubeconfig there are no variables. A useless one that the user names is a mistake. */
async function kubeConfigFor({ source, isSourceSaid }: ArchivePlaces, outside: Outside): Promise<KubeConfig> {
  try {
    if (source.kind === 'cluster') return await wayTo(source, outside);
  } catch (error) {
    if (isSourceSaid || !(error instanceof UsageError)) throw error;
    // What follows is advice for who looks at Machines.
    throw new NotOpen(error.message.split('. ')[0] ?? error.message);
  }
  throw new NotOpen('there is no cluster');
}

function lookingAt(
  kubeConfig: KubeConfig,
  { clock }: Outside,
  closing: AsyncDisposableStack,
): Pick<Kubernetes, 'get' | 'list'> {
  const kubernetes = connect(kubeConfig, { clock, carry: forbiddingTransport, userAgent: 'phaseout-cli' });
  closing.defer(() => kubernetes.close());
  return new UnreadNotes('unavailable').notingReads(kubernetes, '');
}
