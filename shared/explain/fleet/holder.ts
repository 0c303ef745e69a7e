import type { TopMaker } from '../../assess/makers.ts';
import type { WorkloadRef } from '../../kubernetes/client.ts';
import { workloadName } from '../../kubernetes/client.ts';
import { type Pod, podName, uidOf } from '../../kubernetes/objects.ts';
import { listOf } from '../../text/truncate.ts';
import { adviceFor } from '../advice/advice.ts';
import type { Cause, CauseObject } from '../explanation.ts';
import { describing } from '../kubectl.ts';
import type { Seen } from '../seen.ts';
import type { Verdict } from './verdict.ts';

/** What holds one Machine or many. */
export interface Holder {
  /** The same for all Machines that it holds. */
  key: string;
  kind: Cause['kind'];
  verdict: Exclude<Verdict, 'goes'>;
  /** Of a refused eviction why. */
  code?: string;
  what: string;
  /** The cluster of the Nodes that it is in; absent where it is in that of the Machines. */
  cluster?: string;
  /** The object to change; absent where that is the Machine. */
  object?: CauseObject;
  /** Who keeps it; absent where that is unknown. */
  owner?: string;
  numbers?: Readonly<Record<string, number>>;
  why: string;
  /** Shows more of it, and changes nothing. */
  command?: string;
  /** Makes the kubeconfig that the command names. */
  preparing?: string;
}

/** What is known of a Machine for its holders. */
export interface Holding {
  seen: Seen;
  workload: WorkloadRef | undefined;
  /** By UID of the Pod. */
  makers: ReadonlyMap<string, TopMaker>;
}

/** What stands behind one cause: of Pods that come back each of their makers. */
export function holdersIn(holding: Holding, cause: Cause, verdict: Exclude<Verdict, 'goes'>): Holder[] {
  const { kind, code, numbers, why } = cause;
  const common = {
    kind,
    verdict,
    ...(code !== undefined && { code }),
    ...(numbers !== undefined && { numbers }),
    why,
    ...commandFor(holding, cause),
  };
  const isOfPods = kind === 'return' || kind === 'eviction' || code === 'WaitCompleted';
  const told = isOfPods ? byMaker(holding, cause) : [asItStands(holding, cause)];
  return told.map((each) => ({ ...common, ...each, key: keyOf(verdict, kind, each) }));
}

type Told = Pick<Holder, 'what' | 'object' | 'owner' | 'cluster'>;

const keyOf = (verdict: Verdict, kind: Cause['kind'], { cluster, object, what }: Told): string =>
  JSON.stringify([verdict, kind, cluster, object ?? what]);

function asItStands(holding: Holding, cause: Cause): Told {
  const object = cause.object ?? deletionHookIn(holding, cause);
  const owner = cause.kind === 'budget' ? ownerOfPods(holding, cause) : cause.owner;
  const isThere = object?.side === 'workload';
  return {
    what: whatHolds(cause),
    ...(object !== undefined && { object }),
    ...(owner !== undefined && { owner }),
    ...(isThere && clusterIn(holding)),
  };
}

/** The same for all Machines that it holds. */
function whatHolds(cause: Cause): string {
  const { kind, object, what } = cause;
  if (kind === 'budget') return budgetText(cause);
  if (kind !== 'policy' || object === undefined) return what;
  const holds = cause.endsByItself === 'yes' ? 'lets it begin later' : 'has to be corrected';
  return `${object.kind} ${object.namespace}/${object.name} ${holds}`;
}

const clusterIn = ({ workload }: Holding): Pick<Holder, 'cluster'> =>
  workload?.kind === 'cluster' ? { cluster: workloadName(workload) } : {};

const budgetTexts: Readonly<Record<string, string>> = {
  BudgetExhausted: 'has no room now',
  BudgetNeverAllows: 'never lets a Pod go',
  BudgetHeldByOperator: 'lets no Pod go before its operator acts',
  BudgetNotObserved: 'was changed, and its status is not up to date',
  Unknown: 'was not computed',
};

const budgetText = ({ code = '', object, what }: Cause): string =>
  object === undefined
    ? what
    : `${object.kind} ${object.namespace}/${object.name} ${budgetTexts[code] ?? 'refuses'}`;

/** A hook that is no annotation and no entry of the Machine is a DeletionHook. */
function deletionHookIn({ seen }: Holding, { kind, phase, hook: name }: Cause): CauseObject | undefined {
  if (kind !== 'hook' || name === undefined) return undefined;
  if (seen.plan.hooks.some((hook) => hook.name === name && hook.point === phase)) return undefined;
  const { namespace } = seen.machine.ref;
  return {
    side: 'management',
    resource: 'deletionhooks.phaseout.dev',
    kind: 'DeletionHook',
    namespace,
    name,
  };
}

/** Of the Pods that a budget refuses. */
function ownerOfPods(holding: Holding, { object, owner }: Cause): string | undefined {
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

/** Each maker of the Pods by itself: it is what has to be changed. */
function byMaker(holding: Holding, cause: Cause): Told[] {
  const pods = podsOf(holding, cause);
  if (pods.length === 0) return [asItStands(holding, cause)];
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

/** The first that only looks, and what has to be done before it. */
function commandFor(holding: Holding, cause: Cause): Pick<Holder, 'command' | 'preparing'> {
  const { seen } = holding;
  const { preparing, workload } = seen.kubectl;
  const hook = deletionHookIn(holding, cause);
  const commands = adviceFor(seen, [cause], []).map((advice) => advice.command);
  const found =
    hook === undefined ? commands.find((each) => each !== preparing) : describing(seen.kubectl, hook);
  if (found === undefined) return {};
  const isThere = preparing !== undefined && found.startsWith(`${workload} `);
  return { command: found, ...(isThere && { preparing }) };
}
