import { textAt } from '../../../shared/dialects/fields.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import {
  attemptsBetweenLooks,
  awaited,
  fewestLooking,
  isSetback,
  perEviction,
  perMachine,
  secondsBetweenLooks,
} from './requests-are-few.ts';
import { standOf } from './sight/checkpoint.ts';
import { effectOf } from './sight/effect.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { watchRefusals } from './sight/refusals.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** What of one more look names the Machine, its Node or its objects. */
const perLook = 9;

/** Who may not delete a Node asks every two seconds at first, and more slowly later. */
const nodeAttemptsBetweenLooks = 5;

/** Of one Machine. */
interface Account {
  requests: number;
  evictions: number;
  /**
   * Refused evictions, and writes that another instance made first. A refused instance comes back soon at first, and
   * looks each time. Other rules judge whether it is too soon.
   */
  refusals: number;
  uids: Set<string>;
  /** For how many seconds it has been on its way. */
  waited: number;
  /** Of these, the seconds at its Node, where a webhook may keep it without a sign. */
  atNode: number;
  /** Seconds, each of them for as many Pods as were refused. */
  refused: number;
  isGoing: boolean;
}

/** In a world of many Machines, one of them could use up what all of them may cost. */
export const requestsForOne: Invariant = {
  name: 'requests about one Machine stay within 25 and 1.1 for an eviction, and a bounded number of looks again',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const changes = changesByHost(world);
    const refusals = watchRefusals(world);
    const accounts = new Map(scenario.machines.map((plan) => [plan, newAccount()]));
    let strikes = 0;
    let last = world.now();
    const allowed = ({ host }: MachinePlan, { uids, waited, atNode, refused, ...asked }: Account): number => {
      const instances = Math.max(fewestLooking, world.instances().length);
      const waits = (waited + atNode * nodeAttemptsBetweenLooks) * instances + refused * attemptsBetweenLooks;
      const looks = waits / secondsBetweenLooks + (changes.get(host) ?? 0) + strikes + asked.refusals;
      return perMachine * uids.size + perEviction * asked.evictions + perLook * looks;
    };
    const pass = (): void => {
      const seconds = (world.now() - last) / 1_000;
      last = world.now();
      for (const [plan, account] of accounts) {
        const machine = machineIn(witness.past.present, plan);
        if (account.isGoing) {
          account.waited += seconds;
          if (machine !== undefined && standOf(machine)?.phase === 'node') account.atNode += seconds;
          account.refused += seconds * refusals.count(plan.host);
        }
        account.isGoing = machine !== undefined && isDeleting(machine);
        if (account.isGoing) account.uids.add(machine?.metadata.uid ?? '');
      }
    };
    return {
      before(exchange) {
        if (!exchange.instance.startsWith('instance')) return;
        const plan = aboutWhom(exchange, witness);
        const account = plan && accounts.get(plan);
        if (plan === undefined || account === undefined) return;
        account.requests += 1;
        if (exchange.resource === 'pods/eviction') account.evictions += 1;
        if (account.uids.size === 0 || account.requests % perMachine !== 0) return;
        pass();
        const { requests, evictions } = account;
        if (requests > allowed(plan, account))
          violated(
            `${requests} requests about ${titleOf(plan)} where ${Math.floor(allowed(plan, account))} are enough: ` +
              `${evictions} evictions, ${Math.round(account.waited)} s on its way, ${strikes} faults`,
          );
      },
      after(exchange, { code }) {
        const isEviction = exchange.resource === 'pods/eviction';
        if (isEviction) {
          pass();
          refusals.note(exchange, code);
        }
        if (!isSetback(code, isEviction)) return;
        const plan = aboutWhom(exchange, witness);
        const account = plan && accounts.get(plan);
        if (account !== undefined) account.refusals += 1;
      },
      event: pass,
      hit() {
        strikes += 1;
      },
    };
  },
};

const newAccount = (): Account => ({
  requests: 0,
  evictions: 0,
  refusals: 0,
  uids: new Set(),
  waited: 0,
  atNode: 0,
  refused: 0,
  isGoing: false,
});

/** Of what ends waits. */
function changesByHost({ clusters }: World): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const [host, { cluster }] of clusters)
    for (const resource of awaited)
      cluster.watch(resource, () => changes.set(host, (changes.get(host) ?? 0) + 1));
  return changes;
}

/** Undefined for what names none: lists of rules and budgets, and of all Machines. */
export function aboutWhom(exchange: Exchange, witness: Witness): MachinePlan | undefined {
  const { host, verb, resource, namespace, name, body, query } = exchange;
  if (resource === 'events') return witness.machineWithUid(textAt(body, 'involvedObject', 'uid') ?? '');
  const node = /^spec\.nodeName=(.+)$/.exec(query['fieldSelector'] ?? '')?.[1];
  if (node !== undefined) return witness.machineOfNode(host, node);
  if (verb !== 'get') return effectOf(exchange, witness)?.plan;
  if (resource === 'nodes') return witness.machineOfNode(host, name);
  return resource.startsWith('machines.')
    ? witness.machineNamed(resource, namespace, name)
    : witness.machineOfObject(resource, namespace, name);
}
