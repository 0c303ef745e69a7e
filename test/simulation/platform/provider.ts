import type { Cloud } from '../../../infra/local/provider/cloud.ts';
import type { Operation } from '../../../shared/actuator/contract.ts';
import type { Actuator, ActuatorTarget } from '../../../shared/actuator/port.ts';
import { pause } from '../../../shared/clock.ts';
import { CouldNotLook } from '../../../shared/kubernetes/port.ts';
import type { Strand } from '../scheduler.ts';

type AnswerTo<O extends Operation> = Awaited<ReturnType<Actuator[O]>>;
export type ProviderAnswer = AnswerTo<Operation>;

export interface ProviderCall extends ActuatorTarget {
  instance: string;
  operation: Operation;
}

/** What becomes of a call to the provider. */
export type ProviderFate =
  | 'answers'
  /** Nobody is there: nothing is done. */
  | 'finds nobody'
  /** It is done, and nobody hears of it. */
  | 'is not answered'
  /** No answer comes before whoever asks gives up. */
  | { hangs: 'before' | 'after' }
  /** Says so, and does nothing. */
  | { says: ProviderAnswer };

export interface ProviderParts {
  cloud: Cloud;
  /** How long an answer is waited for. */
  patienceSeconds: number;
  fate: (call: ProviderCall) => ProviderFate;
  /** Told of each call that is made. */
  asked: (call: ProviderCall) => void;
  /** Told of what it did, or said that it did, before whoever asked knows; undefined where neither. */
  seen: (call: ProviderCall, answer: ProviderAnswer | undefined) => void;
}

/** By this annotation a Machine has the provider think for so many seconds before it makes the server. */
export const thinksSeconds = 'simulation.phaseout.dev/thinks-seconds';

/** The cloud as one instance reaches it. */
export function providerFor(strand: Strand, parts: ProviderParts): Actuator {
  const { cloud, patienceSeconds, fate, seen } = parts;
  const reaching =
    <O extends Operation>(operation: O, ask: (target: ActuatorTarget) => Promise<AnswerTo<O>>) =>
    async (target: ActuatorTarget): Promise<AnswerTo<O>> => {
      const call: ProviderCall = { instance: strand.name, operation, ...target };
      await strand.step(`provider ${operation}`);
      parts.asked(call);
      const what = fate(call);
      if (isDone(what) && operation === 'create') await pause(strand, thinkingMilliseconds(target));
      const answer = isDone(what) ? await ask(target) : said<O>(what);
      seen(call, answer);
      if (typeof what === 'object' && 'hangs' in what) await pause(strand, patienceSeconds * 1_000);
      await strand.step(`the provider answers ${operation}`);
      if (answer === undefined || isUnheard(what)) throw unreachable(operation);
      return answer;
    };
  return {
    exists: reaching('exists', (target) => cloud.exists(target)),
    create: reaching('create', (target) => cloud.create(target)),
    update: reaching('update', (target) => cloud.update(target)),
    delete: reaching('delete', (target) => cloud.delete(target)),
  };
}

const thinkingMilliseconds = ({ machine: { metadata } }: ActuatorTarget): number =>
  Number(metadata.annotations?.[thinksSeconds] ?? 0) * 1_000;

const isDone = (fate: ProviderFate): boolean =>
  typeof fate === 'object' ? 'hangs' in fate && fate.hangs === 'after' : fate !== 'finds nobody';

const isUnheard = (fate: ProviderFate): boolean =>
  fate === 'is not answered' || (typeof fate === 'object' && 'hangs' in fate);

function said<O extends Operation>(fate: ProviderFate): AnswerTo<O> | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fault answers the operation that was asked for
  return typeof fate === 'object' && 'says' in fate ? (fate.says as AnswerTo<O>) : undefined;
}

const unreachable = (operation: Operation): CouldNotLook =>
  new CouldNotLook(`POST http://provider/v1/${operation}: connect ECONNREFUSED`);
