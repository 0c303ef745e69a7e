import { effectOf } from '../invariants/sight/effect.ts';
import { isDeleting, machineIn } from '../invariants/sight/machine.ts';
import { witnessOf } from '../invariants/sight/witness.ts';
import type { Observer } from '../observer.ts';
import type { MachinePlan, Scenario } from '../scenario/model.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { World } from '../world.ts';
import { rememberAnswers } from './answers.ts';
import { secondsText } from './line.ts';
import { nameOf } from './news.ts';
import { standOfMachine, wrongClocks } from './stand.ts';
import type { Story } from './story.ts';

/** Who acted when something was violated, and for which Machine, where that is known. */
interface Scene {
  instance?: string | undefined;
  machineUid?: string | undefined;
  /** What was done, where it was a request. */
  exchange?: Exchange;
}

const maxLines = 12;
const maxMachines = 3;

/** Writes down, at the first violation, what the actor had read and where its Machine stood. */
export const accountant =
  (story: Story, write: (account: string) => void) =>
  (world: World, scenario: Scenario): Observer => {
    const answers = rememberAnswers(world);
    let isWritten = false;
    const look = (scene: Scene): void => {
      if (isWritten || world.violations.length === 0) return;
      isWritten = true;
      write(accountOf(world, scenario, story, scene, answers.of));
    };
    const ofExchange = (exchange: Exchange): void => {
      const effect = effectOf(exchange, witnessOf(world, scenario));
      look({ instance: exchange.instance, machineUid: effect?.machine?.metadata.uid, exchange });
    };
    return {
      before: ofExchange,
      after: ofExchange,
      heard(exchange) {
        answers.note(exchange);
        ofExchange(exchange);
      },
      provider: ({ instance, machine }) => look({ instance, machineUid: machine.metadata.uid }),
      event: () => look({}),
      logged: (instance) => look({ instance }),
      calm: () => look({}),
      stoodStill: () => look({}),
      quiet: () => look({}),
      ended: () => look({}),
    };
  };

function accountOf(
  world: World,
  scenario: Scenario,
  story: Story,
  { instance, machineUid, exchange }: Scene,
  answersOf: (instance: string) => string[],
): string {
  const steps =
    world
      .instances()
      .find(({ name }) => name === instance)
      ?.steps() ?? [];
  const meant = machineUid === undefined ? steps.map(({ machine }) => machine.uid) : [machineUid];
  const { machines, names } = concerned(world, scenario, meant);
  const own = exchange === undefined || exchange.name === '' ? [] : [nameIn(exchange)];
  const doing = steps.map(({ phase, machine }) => `${phase} of Machine ${machine.namespace}/${machine.name}`);
  const read = instance === undefined ? [] : answersOf(instance);
  const at = `at ${secondsText(world.now() - world.began)}`;
  return [
    doing.length === 0 ? at : `${at}, while ${instance} was in ${doing.join(', ')}`,
    ...section(`What ${instance} had read last`, read),
    ...section('How it stood right after', [...machines, ...wrongClocks(world)]),
    ...section(
      'Lines above that are about it',
      story
        .about([...names, ...own, ...namesIn(world.violations[0] ?? '')], maxLines)
        .trimEnd()
        .split('\n'),
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** `fleet/worker-1`, wherever it stands. */
const namesIn = (text: string): string[] => text.split(/[\s:;,()]+/).filter((word) => word.includes('/'));

const section = (title: string, lines: readonly string[]): string[] =>
  lines.join('') === '' ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];

const nameIn = ({ namespace, name }: Exchange): string => (namespace === '' ? name : `${namespace}/${name}`);

/** The Machines with these UIDs, or else some that are being deleted. Each comes with the names that lines use for it. */
function concerned(world: World, scenario: Scenario, uids: readonly string[]) {
  const witness = witnessOf(world, scenario);
  const isConcerned = (plan: MachinePlan): boolean => {
    if (uids.length > 0) return uids.includes(witness.lastOf(plan)?.metadata.uid ?? '');
    const machine = machineIn(witness.past.present, plan);
    return machine !== undefined && isDeleting(machine);
  };
  const plans = scenario.machines.filter(isConcerned).slice(0, maxMachines);
  return {
    machines: plans.flatMap((plan) => standOfMachine(world, plan)),
    names: plans.flatMap((plan) => namesOf(world, plan)),
  };
}

/** The Machine, its Node, and the Pods there. */
function namesOf(world: World, { namespace, name, host, node }: MachinePlan): string[] {
  const machine = `${namespace}/${name}`;
  if (node === undefined) return [machine];
  const pods = world.cluster(host).list('pods', { fieldSelector: `spec.nodeName=${node}` });
  return [machine, node, ...pods.map(nameOf)];
}
