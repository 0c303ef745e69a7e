import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { drainPolicies } from '../drain-policies/with-policies.ts';
import { type Selector, selects } from '../invariants/sight/selector.ts';
import type { Witness } from '../invariants/sight/witness.ts';
import type { Observer } from '../observer.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { World } from '../world.ts';

interface Entry {
  cause: string;
  after: string;
  action: string;
  pods?: { selector?: Selector; namespaceSelector?: Selector };
}

/** What refuses a Pod, by the answers to its evictions. */
interface Refused {
  /** When it was refused for this cause first. */
  since: Map<string, number>;
  /** As they were then. */
  labels: Readonly<Record<string, string>>;
}

/** What was refused, and what DrainPolicies say about that. */
export interface Rulings {
  observer: Observer;
  /** Why no DrainPolicy has this done for the Pod now; undefined where one does. */
  whyNot(host: string, pod: KubeObject, action: 'Delete' | 'RolloutRestart'): string | undefined;
}

/** Rounded to a second, as an instance keeps it. */
const roundingMilliseconds = 1_000;

export function watchRulings(world: World, witness: Witness): Rulings {
  /** By UID of the Pod. */
  const refused = new Map<string, Refused>();
  const note = (exchange: Exchange, message: string | undefined): void => {
    if (exchange.resource !== 'pods/eviction' || !exchange.instance.startsWith('instance')) return;
    const { host, namespace, name } = exchange;
    const { uid = '', labels = {} } = world.cluster(host).get('pods', namespace, name)?.metadata ?? {};
    const since = refused.get(uid)?.since ?? new Map<string, number>();
    for (const cause of causesIn(message)) if (!since.has(cause)) since.set(cause, world.now());
    refused.set(uid, { since, labels });
  };
  return {
    observer: {
      after(exchange, { code, body }) {
        if (code >= 400) note(exchange, JSON.stringify(body));
      },
      invented: (exchange, { message }) => note(exchange, message),
    },
    whyNot(host, pod, action) {
      const { uid = '', namespace = '', labels: now = {} } = pod.metadata;
      const { since = new Map<string, number>(), labels = now } = refused.get(uid) ?? {};
      if (since.size === 0) return 'its eviction was never refused';
      const ofNamespace = world.cluster(host).get('namespaces', undefined, namespace)?.metadata.labels ?? {};
      const found = [...since].flatMap(([cause, at]) =>
        [now, labels].flatMap((own) => {
          const entry = entriesIn(world, witness, host, pod).find(
            (each) => each.cause === cause && fits(each, own, ofNamespace),
          );
          return entry?.action === action ? [{ entry, at }] : [];
        }),
      );
      if (found.length === 0) return 'no DrainPolicy says so';
      const isDue = found.some(
        ({ entry, at }) =>
          world.now() - at + roundingMilliseconds >= Number.parseInt(entry.after, 10) * 1_000,
      );
      return isDue || witness.reads.haveClocksJumped() ? undefined : 'it is too early';
    },
  };
}

/** Numbers of a budget that an answer does not show decide between the first two. */
function causesIn(message = ''): string[] {
  if (/admission webhook .* denied the request/.test(message)) return ['AdmissionWebhook'];
  if (message.includes('more than one PodDisruptionBudget')) return ['MultipleBudgets'];
  return message.includes('DisruptionBudget') ? ['BudgetNeverAllows', 'BudgetExhausted'] : [];
}

/** Of all policies of its Machine's namespace, in the order of their names. */
function entriesIn({ management }: World, witness: Witness, host: string, pod: KubeObject): Entry[] {
  const plan = witness.machineOfNode(host, textAt(pod, 'spec', 'nodeName') ?? '');
  return management
    .list(drainPolicies)
    .filter(({ metadata }) => metadata.namespace === plan?.namespace)
    .toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))
    .flatMap((policy) => {
      const { blocked } = recordAt(policy, 'spec');
      return Array.isArray(blocked) ? blocked : [];
    });
}

const fits = ({ pods = {} }: Entry, labels: Refused['labels'], ofNamespace: Refused['labels']): boolean =>
  selects(pods.selector ?? {}, labels) === true &&
  selects(pods.namespaceSelector ?? {}, ofNamespace) === true;
