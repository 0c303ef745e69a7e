import type { Observer } from '../observer.ts';
import type { ProviderCall } from '../platform/provider.ts';
import type { ProviderAnswer } from '../platform/provider-answer.ts';
import type { Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';
import { deedOf } from './deeds.ts';
import { logWords } from './log-lines.ts';
import { nameOf, tellOfEnds, tellOfMachines } from './news.ts';
import { followStatuses } from './status-changes.ts';
import type { Story } from './story.ts';

/** Writes down who does what, in words, from the moment at which phaseout begins. */
export const teller =
  (story: Story) =>
  (world: World, scenario: Scenario): Observer => {
    const now = (): number => world.now() - world.began;
    const tell = (who: string, what: string | undefined): void => {
      if (what !== undefined) story.add(now(), who, what);
    };
    /** The event of the scheduler in which somebody has said last what goes wrong. */
    let saidIn: number | undefined;
    story.begins(world.now());
    tellOfMachines(world, scenario, (host, whose, what) => story.leads(now(), host, whose, what));
    tellOfEnds(world, (host, whose, what) => story.leads(now(), host, whose, what));
    const isNew = repeats(now);
    const statuses = followStatuses(world);
    return {
      before: (exchange) => statuses.note(exchange),
      after(exchange, answer) {
        const deed = deedOf(exchange, answer);
        if (deed !== undefined) tell(exchange.instance, deed + statuses.changes(exchange));
      },
      provider: (call, answer) => tell(call.instance, providerWords(call, answer)),
      said(who, what) {
        tell(who, what);
        saidIn = world.scheduler.steps;
      },
      hit(fault, phases, instance) {
        const strike = { at: now(), fault, whom: whomWords(phases, instance) };
        story.strikes(strike, saidIn === world.scheduler.steps);
        saidIn = undefined;
      },
      logged(instance, level, message, fields) {
        const words = logWords(level, message, fields);
        if (words !== undefined && isNew(instance, words)) tell(instance, words);
      },
      calm: () => tell('', '— nothing goes wrong and nobody changes anything from here on —'),
      stoodStill: () => tell('', '— whatever could go has gone; now everybody gives in —'),
      quiet: () => tell('', '— nothing is left to do —'),
    };
  };

/** What is said again of one Machine at each look, with the time of the next one. */
const ofLooks = /^(?:waits in|warns: Deletion is held up).* Machine (\S+)/;
/** Other complaints are heard again after this time. */
const againMilliseconds = 10_000;

/** Whether an instance says something that it has not just said. */
function repeats(now: () => number): (instance: string, words: string) => boolean {
  const looks = new Map<string, string | undefined>();
  const complaints = new Map<string, number>();
  return (instance, words) => {
    const machine = ofLooks.exec(words)?.[1];
    if (machine !== undefined) {
      const [reason] = words.split(/[,;] looks again/);
      const key = `${instance} ${machine}`;
      return looks.get(key) !== reason && looks.set(key, reason).has(key);
    }
    if (!words.startsWith('warns:')) return true;
    const key = `${instance} ${words}`;
    const isNew = now() - (complaints.get(key) ?? -Infinity) >= againMilliseconds;
    if (isNew) complaints.set(key, now());
    return isNew;
  };
}

function whomWords(phases: readonly string[], instance: string | undefined): string {
  const during = phases.length === 0 ? [] : [`during ${[...new Set(phases)].join(' and ')}`];
  return [...(instance === undefined ? [] : [`on ${instance}`]), ...during].join(' ');
}

const asked: Readonly<Record<string, string>> = {
  exists: 'asks the provider whether there is the server of',
  create: 'has the provider make the server of',
  update: 'has the provider update the server of',
  delete: 'has the provider delete the server of',
};

/** Undefined for what is done for every Machine that lives and has its server. */
function providerWords({ operation, machine }: ProviderCall, answer: ProviderAnswer | undefined) {
  const isLook = operation === 'exists' || operation === 'update';
  const isUsual = isLook && machine.metadata.deletionTimestamp === undefined;
  return isUsual ? undefined : `${asked[operation]} Machine ${nameOf(machine)}: ${answerWords(answer)}`;
}

function answerWords(answer: ProviderAnswer | undefined): string {
  if (answer === undefined) return 'nobody answers';
  if (answer.kind === 'retry') return `to be asked again in ${answer.afterSeconds.toFixed(1)} s`;
  if (answer.kind === 'failed') return `${answer.reason ?? 'failed'}: ${answer.message}`;
  return answer.kind;
}
