import { adviceFor } from '../advice/advice.ts';
import type { Cause, CauseObject } from '../explanation.ts';
import { describing } from '../kubectl.ts';
import { byMaker, clusterIn, type Holding, ownerOfPods } from './made.ts';
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
  const made = byMaker(holding, cause);
  const told = made.length > 0 ? made : [asItStands(holding, cause)];
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
