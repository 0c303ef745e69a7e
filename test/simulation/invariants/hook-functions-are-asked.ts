import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { secondsOf, titleOfHook } from '../platform/functions/played.ts';
import { isOnlyWatching } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { hooksKey, isDeleting, titleOf } from './sight/machine.ts';
import { callIn, type SentCall, turnKey } from './sight/sent-calls.ts';
import { watchTrouble } from './sight/trouble.ts';
import { turnsIn } from './sight/turns.ts';
import { isSelected } from './sight/wanted-functions.ts';
import { witnessOf } from './sight/witness.ts';
import { writtenText } from './sight/written.ts';

/** From the decision to ask to the call: some steps and reads. */
const stepsOfCall = 20;
const slackMilliseconds = 1_000;

const aboutOf = (hook: string, machineUid: string): string => `${hook} ${machineUid}`;

export const hookFunctionsAreAsked: Invariant = {
  name: 'a function is asked about who waits for it, in a turn that is saved, and once in each slot of it',
  watch(world, scenario, violated) {
    const { hooks } = world.functions;
    if (hooks.length === 0) return {};
    const witness = witnessOf(world, scenario);
    const saved = new Set<string>();
    /** Who is asked stands fast once it is saved, whatever label is changed later. */
    const selected = new Map<string, boolean>();
    /** By turn and slot. */
    const asked = new Set<string>();
    const trouble = watchTrouble(world, () => asked.clear());
    const slack = slackMilliseconds + stepsOfCall * scenario.world.latencyMilliseconds;
    const wrongWith = (call: SentCall, machine: KubeObject): string | undefined => {
      const hook = hooks.find((each) => titleOfHook(each) === call.hook);
      if (hook === undefined) return 'there is no such DeletionHook';
      if (isOnlyWatching(world.config)) return 'phaseout only watches';
      if (!isDeleting(machine)) return 'the Machine lives';
      const turn = turnKey(call.hook, call.machineUid, call.begins);
      if (!saved.has(turn)) return 'the begin of its turn is not saved';
      if (selected.get(aboutOf(call.hook, call.machineUid)) === false)
        return 'it does not select the Machine';
      if (!trouble.isOver()) return undefined;
      const slots = [world.now() - slack, world.now()].map(
        (at) => Math.max(0, Math.floor((at - call.begins) / (secondsOf(hook.spec.every) * 1_000))) + 1,
      );
      const [first = 1, last = 1] = slots;
      if (call.attempt < first || call.attempt > last) return `slot ${call.attempt} is not now`;
      const slot = `${turn} ${call.attempt}`;
      return asked.has(slot) ? `slot ${call.attempt} has had its call` : void asked.add(slot);
    };
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      after(exchange, { code }) {
        const text = writtenText(exchange, hooksKey);
        const { plan, machine } = effectOf(exchange, witness) ?? {};
        if (code >= 300 || text === undefined || plan === undefined) return;
        const { uid = '' } = machine?.metadata ?? {};
        for (const { name, begin } of turnsIn(text, uid)) {
          const title = titleOfHook({ namespace: plan.namespace, name });
          const about = aboutOf(title, uid);
          const hook = hooks.find((each) => titleOfHook(each) === title);
          if (!selected.has(about) && hook !== undefined && machine !== undefined)
            selected.set(about, isSelected(witness.past.present, machine, hook));
          if (begin !== undefined) saved.add(turnKey(title, uid, Date.parse(begin)));
        }
      },
      sent(event) {
        const call = callIn(event);
        if (call === undefined) return;
        const plan = witness.machineWithUid(call.machineUid);
        const machine = plan && witness.lastOf(plan);
        const why = machine === undefined ? 'phaseout is not there for it' : wrongWith(call, machine);
        if (why !== undefined)
          violated(
            `the function of ${call.hook} is asked about ${plan === undefined ? 'a Machine' : titleOf(plan)}: ${why}`,
          );
      },
    };
  },
};
