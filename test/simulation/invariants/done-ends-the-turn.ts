import { hookAnswerType } from '../../../events/hook-answer.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { hasOurHook, isBeside } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { parsed } from './sight/checkpoint.ts';
import { whyHeldBack, whyTheirs } from './sight/held-back.ts';
import { machineIn, titleOf } from './sight/machine.ts';
import { callIn } from './sight/sent-calls.ts';
import { watchTrouble } from './sight/trouble.ts';
import { turnsOf } from './sight/turns.ts';
import { witnessOf } from './sight/witness.ts';

/** The answer is remembered, and a look that is under way is waited for. */
const lookMilliseconds = 6_000;
const requestsOfLooks = 60;

/** No call that is due is waited for. */
export const doneEndsTheTurn: Invariant = {
  name: 'Done ends its turn soon, as long as nothing goes wrong',
  watch(world, scenario, violated) {
    if (world.functions.hooks.length === 0) return {};
    const witness = witnessOf(world, scenario);
    /** By hook and Machine: when its function was done. */
    const done = new Map<string, { at: number; plan: MachinePlan; uid: string; hook: string }>();
    const trouble = watchTrouble(world, () => done.clear());
    const longest = lookMilliseconds + requestsOfLooks * scenario.world.latencyMilliseconds;
    const isWaiting = (plan: MachinePlan, uid: string, hook: string): boolean => {
      const { present } = witness.past;
      const machine = machineIn(present, plan);
      if (machine?.metadata.uid !== uid || whyHeldBack(present, machine) !== undefined) return false;
      if (whyTheirs(machine, world.config) !== undefined) return false;
      if (isBeside(world, plan) && !hasOurHook(machine)) return false;
      return turnsOf(machine).some(
        ({ name, end }) => `${plan.namespace}/${name}` === hook && end === undefined,
      );
    };
    const complain = (): void => {
      for (const [key, { at, plan, uid, hook }] of done) {
        if (!isWaiting(plan, uid, hook)) done.delete(key);
        else if (world.now() - at > longest) {
          done.delete(key);
          violated(`${titleOf(plan)} still waits for the function of ${hook}, which is done`);
        }
      }
    };
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      stoodStill: () => done.clear(),
      event: complain,
      replied(reply, event) {
        const call = callIn(event);
        const isDone = textAt(parsed(Buffer.from(reply.data).toString()), 'state') === 'Done';
        if (call === undefined || reply.attributes['type'] !== hookAnswerType || !isDone) return;
        const plan = witness.machineWithUid(call.machineUid);
        const key = `${call.hook} ${call.machineUid}`;
        if (plan === undefined || !trouble.isOver() || done.has(key)) return;
        done.set(key, { at: world.now(), plan, uid: call.machineUid, hook: call.hook });
      },
      ended: complain,
    };
  },
};
