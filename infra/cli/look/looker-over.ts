import type { Actuator } from '../../../shared/actuator/port.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import type { KubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { createWorkloadClusters } from '../../../shared/adapters/workload-clusters/workload-clusters.ts';
import type { Kubernetes, WorkloadClusters } from '../../../shared/kubernetes/client.ts';
import type { MachineRef } from '../../../shared/machine/machine.ts';
import type { NotGiven } from '../../../shared/plan/node.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { actuatorOf } from '../../host/actuator.ts';
import { createInstance } from '../../host/instance.ts';
import type { Given } from '../../local/given/given-machine.ts';
import { type Outside, ownVariables } from '../../terminal/outside.ts';
import { forbiddingTransport } from './forbidden.ts';
import { oneAtATime } from './lists/one-at-a-time.ts';
import { overLists } from './lists/over-lists.ts';
import { askingOnly, lookingOnly, lookingOnlyThere } from './looking-only.ts';
import { type GoesOnWithout, UnreadNotes } from './unread-notes.ts';

/** What a command that only looks has. */
export interface Looker {
  environment: Environment;
  /** Of the API server. */
  url: string;
  /** What was done to the manifests. */
  notes: readonly string[];
  /** Budgets of a dump without a computed status, by `namespace/name`. */
  unknownBudgets: ReadonlySet<string>;
  /** What was given instead of a cluster. */
  given?: Given;
  /** What was not given of a Machine, so that nothing follows from its absence. */
  notGiven: (machine: Pick<MachineRef, 'apiVersion' | 'namespace' | 'name'>) => NotGiven;
  /** What could not be read so far, a sentence each. */
  unread: () => readonly string[];
  /** What could not be read is noted from now on, by a process that looks again and again. */
  forgetUnread: () => void;
  /** A look of its own at many Machines, from now on. */
  ofMany: (many: Many, closing: AsyncDisposableStack) => Looker;
}

/** A look at many Machines, in which each kind is listed once. */
export interface Many {
  /** Theirs, where only those of one are looked at. */
  namespace?: string | undefined;
}

interface Setting {
  kubeConfig: KubeConfig;
  /** Leads to the Nodes in place of the kubeconfig Secrets. */
  workload?: KubeConfig | undefined;
  outside: Outside;
  closing: AsyncDisposableStack;
  /** Asked where the environment names no provider. */
  cloud?: Actuator;
  goesOnWithout: GoesOnWithout;
  many?: Many | undefined;
}

/** Over a kubeconfig that is read already. */
export function lookerOver(
  way: Pick<Setting, 'kubeConfig' | 'workload' | 'many' | 'goesOnWithout'>,
  outside: Outside,
  closing: AsyncDisposableStack,
): Looker {
  const about = { notes: [], unknownBudgets: new Set<string>(), notGiven: () => ({}) };
  return lookerIn({ ...way, outside, closing }, about);
}

/** `about`: what is known of what is looked at. */
export function lookerIn(
  setting: Setting,
  about: Pick<Looker, 'notes' | 'unknownBudgets' | 'notGiven' | 'given'>,
): Looker {
  const unread = new UnreadNotes(setting.goesOnWithout);
  return {
    ...about,
    environment: environmentOf(setting, unread),
    url: setting.kubeConfig.getCurrentCluster()?.server ?? '',
    unread: () => unread.all,
    forgetUnread: () => unread.forget(),
    ofMany: (many, closing) => lookerIn({ ...setting, many, closing }, about),
  };
}

function environmentOf(setting: Setting, unread: UnreadNotes): Environment {
  const { kubeConfig, outside, closing, cloud, many } = setting;
  const { clock, random, env } = outside;
  const config = readConfig(ownVariables(env));
  const connected = connect(kubeConfig, { clock, carry: forbiddingTransport });
  closing.defer(() => connected.close());
  const noted = unread.notingReads(lookingOnly(connected), '');
  const management = many === undefined ? noted : overLists(noted, many.namespace);
  const looking = lookingOnlyThere(workloadsOf(management, setting), unread);
  const workloads = many === undefined ? looking : oneAtATime(looking);
  const named = actuatorOf(config, management, clock);
  const { environment } = createInstance({
    management,
    workloads,
    actuator: askingOnly(config.actuatorUrl === undefined ? (cloud ?? named) : named),
    store: createMemoryStore(clock),
    clock,
    random,
    log: silent,
    config,
    name: 'look',
    outbox: { send: () => Promise.reject(new Error('a look sends no event')), publish: () => undefined },
  });
  return environment;
}

/** By the kubeconfig Secrets of the Clusters, or all by one way that the user has. */
function workloadsOf(
  management: Kubernetes,
  { workload, outside: { clock }, closing }: Pick<Setting, 'workload' | 'outside' | 'closing'>,
): WorkloadClusters {
  const bySecret = createWorkloadClusters(management, { clock, connection: { carry: forbiddingTransport } });
  closing.defer(() => bySecret.close());
  if (workload === undefined) return bySecret;
  const there = connect(workload, { clock, carry: forbiddingTransport });
  closing.defer(() => there.close());
  return {
    of: async (wanted) =>
      wanted.kind === 'here' ? bySecret.of(wanted) : { ...there, evictAll: () => Promise.resolve(new Map()) },
  };
}
