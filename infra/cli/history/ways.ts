import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import type { KubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { didYouMean } from '../../terminal/near.ts';
import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { forbiddingTransport } from '../look/forbidden.ts';
import { wayTo } from '../look/kubeconfig.ts';
import { UnreadNotes } from '../look/unread-notes.ts';
import { unknownNamespace } from '../namespaces.ts';
import { addressInCluster, tableOfFunctions } from './installed.ts';
import type { openTable } from './open-table.ts';
import type { ArchivePlaces, HistoryOptions } from './options.ts';
import { NotOpen, type OpenArchive, type Patience, patient, type Way } from './way.ts';

/** The ways to the history, in the order in which they are tried. A table that the user names is the only one. */
export function waysTo(options: ArchivePlaces, outside: Outside, patience = patient): Way[] {
  const { named, source } = options;
  if (Object.keys(named).length > 0)
    return [{ name: byOption, open: (closing) => tableAt(named, { outside, closing, patience }) }];
  const none = { name: byOption, open: () => Promise.reject(new NotOpen('none of them is given')) };
  if (source.kind === 'cluster') return [none, byVariables(options, outside, patience)];
  const given = source.kind === 'example' ? `--example ${source.name}` : '--load';
  const why = 'there are Machines in it, and no history: that is in the store of who deletes them';
  return [none, { name: given, open: () => Promise.reject(new NotOpen(why)) }];
}

const byOption = '--table, --endpoint, --region';

/** What speaks DynamoDB takes long to load, and most looks go without. */
async function tableAt(...asked: Parameters<typeof openTable>): Promise<OpenArchive> {
  const table = await import('./open-table.ts');
  return table.openTable(...asked);
}

/** Where the functions of the cluster have their store, from here or through the API server. */
const byVariables = (options: ArchivePlaces, outside: Outside, patience: Patience): Way => ({
  name: "the functions' own variables",
  async open(closing) {
    const kubeConfig = await kubeConfigFor(options, outside);
    const kubernetes = lookingAt(kubeConfig, outside, closing);
    const table = await tableOfFunctions(kubernetes, options.installedIn, kubeConfig.getCurrentContext());
    const address = table.endpoint === undefined ? undefined : addressInCluster(table.endpoint);
    if (address === undefined) return tableAt(table, { outside, closing, patience });
    const { openForwarded } = await import('./forwarded.ts');
    return openForwarded(table, { address, kubeConfig, kubernetes, outside, closing, patience });
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

/** That the cluster has no Namespace of the Machine's; undefined where it has one, and where that is not known. */
export async function withoutNamespace(
  options: Pick<HistoryOptions, keyof ArchivePlaces | 'wanted'>,
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<string | undefined> {
  const { named, source, wanted } = options;
  const isOfCluster = Object.keys(named).length === 0 && source.kind === 'cluster';
  if (!isOfCluster || wanted.clue.kind !== 'name') return undefined;
  const kubernetes = lookingAt(await kubeConfigFor(options, outside), outside, closing);
  const unknown = await unknownNamespace({ kubernetes }, wanted.clue.namespace);
  return unknown && `${unknown.problem}${didYouMean(unknown.near)}`;
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
