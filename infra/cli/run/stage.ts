import type { Mode } from '../../../shared/dialects/registry.ts';
import { createLog, type LogLevel, logLevels } from '../../../shared/runtime/log.ts';
import { type Host, startHost } from '../../local/platform/host.ts';
import type { FactListener } from '../../local/platform/open-functions.ts';
import { startPlatform } from '../../local/platform/platform.ts';
import { readManifests } from '../../terminal/manifests.ts';
import type { Outside } from '../../terminal/outside.ts';
import { counted } from '../../terminal/words.ts';
import { examples } from '../examples.ts';
import { readKubeconfig } from '../look/kubeconfig.ts';
import type { RunOptions } from '../options.ts';
import { readWorkloads } from '../read-workloads.ts';
import { goingOnIn, variablesFor } from './beside.ts';
import { openExample } from './open-example.ts';

/** Where Machines are deleted: the functions, and the cluster they look after. */
export interface Stage {
  host: Host;
  subject: string;
  url: string;
  notes: readonly string[];
  /** Of a local cluster. */
  kubeconfig: string | undefined;
  /** A local cluster has the Machine APIs' own controllers, which carry deletions on where phaseout does not. */
  hasPeer: boolean;
}

export interface StageOptions extends Pick<RunOptions, 'source' | 'targets' | 'mode' | 'hooks'> {
  onFact: FactListener;
  /** Takes the text of the log. */
  complain: (text: string) => void;
}

/** Starts what the source asks for. Throws UsageError, ManifestUnreadable, NoMachineApi, ConfigInvalid, Unavailable. */
export async function openStage(options: StageOptions, outside: Outside): Promise<Stage> {
  const { source, targets, mode, hooks, onFact, complain } = options;
  const { clock, random, env } = outside;
  const log = createLog({ stream: { write: complain }, clock, level: levelIn(env), form: 'text' });
  const variables = variablesFor(options, env);
  const common = { clock, random, env: variables, log, onFact, hooks };
  if (source.kind === 'cluster') {
    const kubeConfig = readKubeconfig(source);
    const host = await startHost({ ...common, kubeConfig });
    const subject = `the cluster of context ${kubeConfig.getCurrentContext()}`;
    return {
      host,
      subject,
      url: kubeConfig.getCurrentCluster()?.server ?? '',
      notes: [whoseMachines(env, mode)],
      kubeconfig: undefined,
      hasPeer: false,
    };
  }
  const own = goingOnIn(variables);
  const hasPeer = own.length > 0;
  const controllers = {
    peer: own.some((name) => name !== 'openshift'),
    openShiftPeer: own.includes('openshift'),
  };
  if (source.kind === 'example') {
    const host = await openExample(source.name, { ...common, controllers });
    return {
      host,
      subject: examples[source.name].subject,
      url: host.url,
      notes: [],
      kubeconfig: host.kubeconfig,
      hasPeer,
    };
  }
  const manifests = await readManifests(source.paths);
  const workloads = await readWorkloads(source.workloads, manifests, targets);
  const host = await startPlatform({ ...common, controllers, manifests, workloads, machines: targets });
  const { url, kubeconfig, notes } = host;
  const subject = [
    `${counted(manifests.length, 'object')} from ${source.paths.join(', ')}`,
    ...workloads.map((one) => `${one.manifests.length} of Cluster ${one.namespace}/${one.name}`),
  ].join(' and ');
  return { host, subject, url, notes, kubeconfig, hasPeer };
}

/** Two controllers that delete the same Machine would get in each other's way, unless one hands over to the other. */
function whoseMachines(env: Outside['env'], mode: Mode | undefined): string {
  if (mode === 'observe') return 'every Machine that is being deleted there is watched: nothing is written';
  if (mode === 'beside')
    return 'every Machine of Cluster API and OpenShift there gets a hook, which is taken off again only while this runs';
  const filter = env['PHASEOUT_WATCH_FILTER'];
  const which = filter
    ? `every Machine labelled cluster.x-k8s.io/watch-filter=${filter}`
    : 'every Machine (PHASEOUT_WATCH_FILTER would choose some)';
  return `${which} that is being deleted there is taken through its phases here: no other controller may do that`;
}

const levelIn = (env: Outside['env']): LogLevel =>
  logLevels.find((level) => level === env['PHASEOUT_LOG_LEVEL']) ?? 'warn';
