import { connectTools } from '../../../shared/adapters/kubernetes/install-client.ts';
import type { ToldOption, ToldOptions } from '../../terminal/option.ts';
import type { Outside } from '../../terminal/outside.ts';
import type { ValuesOf } from '../../terminal/parse-arguments.ts';
import { ownKubeconfig, readKubeconfig } from '../look/kubeconfig.ts';
import { type Looker, lookerOver } from '../look/looker-over.ts';
import { othersNodeBy } from '../look/others-node.ts';
import { outputOption, sourceOptions } from '../source.ts';
import type { Tell } from './report.ts';
import type { Site } from './site.ts';

/** Which cluster, and how its changes are reported. */
export const siteOptions = {
  kubeconfig: {
    ...sourceOptions.kubeconfig,
    group: 'The cluster:',
    meaning: 'of the cluster; otherwise KUBECONFIG names it, or ~/.kube/config',
  },
  context: {
    ...sourceOptions.context,
    group: 'The cluster:',
    meaning: 'of the kubeconfig, if not its current one',
  },
  output: {
    ...outputOption.output,
    group: 'The cluster:',
    meaning: 'one JSON object per line instead of text',
  },
} as const satisfies ToldOptions;

/** Nodes that may be others' are deleted by the controllers that go on. */
export const letGoOption = {
  type: 'boolean',
  meaning:
    'also where a Machine is let go whose own controller then deletes a Node that is not known to be its own',
} as const satisfies ToldOption;

type SiteValues = Omit<ValuesOf<typeof siteOptions>, 'output'>;

/** A write with its webhooks may take longer than a look at a Machine should. */
const requestTimeoutSeconds = 30;

export interface OpenSite extends Site, AsyncDisposable {}

/** Opens no connection before the first request. Throws UsageError. */
export function openSite(
  values: SiteValues,
  { service, tell }: { service: string; tell: Tell },
  outside: Outside,
): OpenSite {
  const { clock, interrupted } = outside;
  const kubeConfig = kubeConfigOf(values, outside);
  const kubernetes = connectTools(kubeConfig, { clock, requestTimeoutSeconds, userAgent: 'phaseout-cli' });
  // Idle connections and timers of the clock do not keep the process alive.
  const awake = setInterval(() => undefined, 60_000);
  const closing = new AsyncDisposableStack();
  let looker: Looker | undefined;
  const looking = (): Looker =>
    (looker ??= lookerOver({ kubeConfig, goesOnWithout: 'unavailable' }, outside, closing));
  return {
    kubernetes,
    service,
    where: kubeConfig.getCurrentCluster()?.server ?? 'the cluster',
    clock,
    interrupted,
    tell,
    othersNode: othersNodeBy(() => looking().environment),
    async [Symbol.asyncDispose]() {
      clearInterval(awake);
      await closing.disposeAsync();
      await kubernetes.close();
    },
  };
}

/** Where kubectl would look: the option, KUBECONFIG, and the file in the home folder. */
function kubeConfigOf(values: SiteValues, outside: Outside) {
  const file = values.kubeconfig || ownKubeconfig(outside);
  return readKubeconfig({ kind: 'cluster', kubeconfig: file, context: values.context });
}
