import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { hasOurHook, isBeside } from '../scenario/beside.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { parsed } from './sight/checkpoint.ts';
import { whyTheirs } from './sight/held-back.ts';
import { finalizerOf, isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { looksIn } from './sight/on-record.ts';
import { watchTrouble } from './sight/trouble.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** A sweep takes 20 s at most, and the next sweep of all comes in a minute. */
const lookMilliseconds = 25_000;

/** No due look has to wait for the sweep that finds what no event announced. */
export const dueIsLookedAt: Invariant = {
  name: 'a Machine whose look is due is looked at by the next tick',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    /** By UID: when a tick came that should bring a look. */
    const awaited = new Map<string, number>();
    const trouble = watchTrouble(world, () => awaited.clear());
    /** Whatever a look requests or logs. */
    const note = (): void => {
      if (awaited.size > 0) for (const uid of lookedAt(world)) awaited.delete(uid);
    };
    const complain = (): void => {
      for (const [uid, at] of awaited) {
        if (world.now() - at < lookMilliseconds) continue;
        awaited.delete(uid);
        const title = titleOfOurs(witness, uid);
        if (title !== undefined) violated(`nobody looks at ${title}, which is due`);
      }
    };
    return {
      // An instance that runs on a Machine moves when everybody gives in, in the middle of whatever it looks at.
      stoodStill: () => awaited.clear(),
      hit: trouble.hit,
      calm: trouble.calm,
      before: note,
      provider: note,
      logged: note,
      event(event) {
        if (!trouble.isOver()) return;
        complain();
        const { type, partitionkey = '' } = event.attributes;
        if (type === 'dev.phaseout.deletion.advance.v1') awaited.delete(partitionkey);
        if (!asksForDue(event)) return;
        for (const uid of dueIn(world))
          if (!awaited.has(uid) && titleOfOurs(witness, uid) !== undefined) awaited.set(uid, world.now());
      },
    };
  },
};

/** UIDs of the Machines that instances are at now. */
const lookedAt = (world: World): string[] =>
  world.instances().flatMap((instance) => instance.steps().map(({ machine }) => machine.uid));

export const asksForDue = ({ attributes, data }: CloudEvent): boolean =>
  attributes['type'] === 'dev.knative.sources.ping' &&
  recordAt(parsed(Buffer.from(data).toString()))['sweep'] === 'due';

/** UIDs of Machines. */
const dueIn = (world: World): string[] =>
  looksIn(world)
    .filter(({ at }) => at <= world.now())
    .map(({ machineUid }) => machineUid);

/** Undefined unless it is being deleted, we have not let it go, and it still belongs to us. */
export function titleOfOurs(witness: Witness, uid: string): string | undefined {
  const plan = witness.machineWithUid(uid);
  const machine = plan && machineIn(witness.past.present, plan);
  if (plan === undefined || machine?.metadata.uid !== uid || !isDeleting(machine)) return undefined;
  if (whyTheirs(machine, witness.world.config) !== undefined) return undefined;
  if (isBeside(witness.world, plan) && !hasOurHook(machine)) return undefined;
  return machine.metadata.finalizers?.includes(finalizerOf[plan.api]) === true ? titleOf(plan) : undefined;
}
