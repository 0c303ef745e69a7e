import type { Advice, Cause } from '../explanation.ts';
import type { Seen } from '../seen.ts';
import { hookAdvice, ownHookAdvice } from './hooks.ts';
import { lookAtMachine, pauseAdvice, policyAdvice, referredAdvice } from './machine.ts';
import {
  budgetAdvice,
  evictionAdvice,
  namespaceAdvice,
  nodeAdvice,
  onNode,
  podAdvice,
  volumeAdvice,
} from './workload.ts';

const ranks: readonly Advice['does'][] = ['looks', 'changes', 'destroys'];

/** What to do about the causes, the harmless first; each command once. */
export function adviceFor(seen: Seen, causes: readonly Cause[], later: readonly string[]): Advice[] {
  const found = causes.flatMap((cause) =>
    advising[cause.kind](seen, cause).map((advice) => leading(advice, nextAfter(cause, causes, later))),
  );
  const isThere = found.some(({ command }) => command.startsWith(`${seen.kubectl.workload} `));
  const wanted = [...(isThere ? preparing(seen) : []), ...found];
  // What holds nothing yet need not be got round.
  const all = seen.standing === undefined ? wanted.filter(({ does }) => does === 'looks') : wanted;
  const once = all.filter(
    ({ command }, index) => all.findIndex((each) => each.command === command) === index,
  );
  return once.toSorted((one, other) => ranks.indexOf(one.does) - ranks.indexOf(other.does));
}

/** What holds the Machine once this cause is gone. */
function nextAfter(cause: Cause, causes: readonly Cause[], later: readonly string[]): string | undefined {
  const other = causes.find((each) => each !== cause && each.endsByItself === 'no');
  return other?.what ?? later[0];
}

/** What gets round one wall is told with the next. */
const leading = (advice: Advice, next: string | undefined): Advice =>
  next === undefined || advice.does === 'looks' ? advice : { ...advice, why: `${advice.why}; next: ${next}` };

const preparing = ({ kubectl }: Seen): Advice[] =>
  kubectl.preparing === undefined
    ? []
    : [{ does: 'looks', command: kubectl.preparing, why: 'the way to the cluster of the Node' }];

const machineAlone = (seen: Seen): Advice[] => [lookAtMachine(seen)];

const advising: Readonly<Record<Cause['kind'], (seen: Seen, cause: Cause) => Advice[]>> = {
  pause: pauseAdvice,
  invalid: machineAlone,
  failure: machineAlone,
  finalizers: machineAlone,
  hook: hookAdvice,
  policy: policyAdvice,
  carrier: ownHookAdvice,
  budget: budgetAdvice,
  eviction: evictionAdvice,
  namespace: namespaceAdvice,
  pod: podAdvice,
  return: onNode,
  volume: volumeAdvice,
  infrastructure: referredAdvice,
  bootstrap: referredAdvice,
  node: nodeAdvice,
  unread: () => [],
};
