import type { TopMaker } from '../../assess/makers.ts';
import type { WorkloadRef } from '../../kubernetes/client.ts';
import { workloadName } from '../../kubernetes/client.ts';
import { type Pod, podName, uidOf } from '../../kubernetes/objects.ts';
import { listOf } from '../../text/truncate.ts';
import type { Cause } from '../explanation.ts';
import type { Seen } from '../seen.ts';

/** What is known of a Machine for its holders. */
export interface Holding {
  seen: Seen;
  workload: WorkloadRef | undefined;
  /** By UID of the Pod. */
  makers: ReadonlyMap<string, TopMaker>;
}

/** What makes Pods that hold a Machine. */
interface Made {
  what: string;
  /** Absent where that is unknown. */
  owner?: string;
  cluster?: string;
}

/** Of the Pods that a budget refuses. */
export function ownerOfPods(holding: Holding, { object, owner }: Cause): string | undefined {
  const key = `${object?.namespace}/${object?.name}`;
  const makers = podsBehind(holding, (budget) => budget === key).map((pod) => makerText(holding, pod));
  const known = [...new Set(makers.flatMap((maker) => maker ?? []))];
  return known.length > 0 ? listOf(known, 2) : makers.length > 0 ? undefined : owner;
}

/** The Pods whose makers may have to be changed. */
export function podsThatHold({ plan, pods }: Seen): Pod[] {
  const { refusals, refusalsAhead = [], returning = [] } = plan;
  const names = new Set([...refusals, ...refusalsAhead, ...returning].map(({ pod }) => pod));
  for (const { behavior, namespace, name } of plan.pods)
    if (behavior === 'WaitCompleted') names.add(`${namespace}/${name}`);
  return pods.filter((pod) => names.has(podName(pod)));
}

function podsBehind({ seen }: Holding, isMeant: (budget: string | undefined) => boolean): Pod[] {
  const { refusals, refusalsAhead = [] } = seen.plan;
  const names = new Set(
    [...refusals, ...refusalsAhead].filter(({ budget }) => isMeant(budget)).map(({ pod }) => pod),
  );
  return seen.pods.filter((pod) => names.has(podName(pod)));
}

/** Undefined where what makes it was not read. */
function makerText({ makers }: Holding, pod: Pod): string | undefined {
  const maker = makers.get(uidOf(pod));
  return maker === undefined || maker.unread !== undefined ? undefined : `${maker.kind} ${maker.name}`;
}

/** Each maker of the Pods by itself: it is what has to be changed. None where the cause is of no Pods that are known. */
export function byMaker(holding: Holding, cause: Cause): Made[] {
  const pods = podsOf(holding, cause);
  const byName = Map.groupBy(pods, (pod) => {
    const maker = holding.makers.get(uidOf(pod));
    return maker === undefined ? `Pod ${podName(pod)}` : `${maker.kind} ${maker.name}`;
  });
  return [...byName].map(([name, [pod]]) => {
    const owner = pod && makerText(holding, pod);
    return {
      what: makerTexts(cause, name),
      ...(owner !== undefined && { owner }),
      ...clusterIn(holding),
    };
  });
}

function podsOf(holding: Holding, { kind, code }: Cause): Pod[] {
  const { plan, pods } = holding.seen;
  const named = (names: readonly string[]): Pod[] => pods.filter((pod) => names.includes(podName(pod)));
  if (kind === 'return') return named((plan.returning ?? []).map(({ pod }) => pod));
  if (kind === 'eviction') return podsBehind(holding, (budget) => budget === undefined);
  if (code !== 'WaitCompleted') return [];
  const isAwaited = plan.pods.filter(
    ({ behavior, hasCompleted }) => behavior === code && hasCompleted !== true,
  );
  return named(isAwaited.map(({ namespace, name }) => `${namespace}/${name}`));
}

function makerTexts({ kind, code, what }: Cause, maker: string): string {
  if (kind === 'return') return `Pods of ${maker} come back to a cordoned Node`;
  if (code === 'MultipleBudgets') return `several budgets select the Pods of ${maker}`;
  if (code === 'WaitCompleted') return `Pods of ${maker} must complete`;
  return what;
}

/** Where its Nodes are; nothing where that is the cluster of the Machines. */
export const clusterIn = ({ workload }: Holding): Pick<Made, 'cluster'> =>
  workload?.kind === 'cluster' ? { cluster: workloadName(workload) } : {};
