import { type AnswerFate, falsehoods } from '../../platform/functions/answer-fate.ts';
import type { PlayedAnswer } from '../../platform/functions/functions.ts';
import type { Fault, FaultSetting } from '../fault.ts';
import { meddlingFault } from '../meddling.ts';

interface AnswerFault {
  name: string;
  about: string;
  /** What becomes of answers: `are lost`. */
  becomes: string;
  /** Few worlds have functions, and most of those are asked a few times only. */
  often?: number;
  fits?: (answer: PlayedAnswer) => boolean;
  fate: (answer: PlayedAnswer, setting: FaultSetting) => AnswerFate;
}

/** Something that happens to what functions of DeletionHooks answer. */
const answerFault = ({ becomes, fits = () => true, often = 0.2, ...fault }: AnswerFault): Fault => ({
  ...meddlingFault<PlayedAnswer, AnswerFate>((world) => (meddler) => world.meddlers.onHookAnswer(meddler), {
    ...fault,
    fits,
    who: 'a function',
    says: ({ call }) => `answers to ${call.hook} ${becomes}`,
    phases: () => [],
    kind: ({ call }) => call.hook,
  }),
  often,
});

const forged: Omit<AnswerFault, 'fate'> = {
  name: 'hook-answers-forged',
  about: 'Who was not asked, or is mistaken, says Done: with a wrong token, type or state.',
  becomes: 'say Done and do not count',
  often: 0.4,
  fits: ({ state }) => state !== 'Done',
};

/** Some have a proof that phaseout has given to somebody else. */
const forgery: Fault = {
  ...forged,
  strike(setting) {
    const tokens: string[] = [];
    setting.world.meddlers.onHookAnswer(({ call: { answerTo } }) => {
      if (!tokens.includes(answerTo)) tokens.push(answerTo);
      return undefined;
    });
    return answerFault({
      ...forged,
      fate({ call }, { random }) {
        const others = tokens.filter((token) => token !== call.answerTo);
        const token = others.length === 0 ? '' : random.oneOf(others);
        return { falsely: random.oneOf(falsehoods), token };
      },
    }).strike(setting);
  },
};

/** What becomes of the answers of functions. */
export const hookAnswers: readonly Fault[] = [
  answerFault({
    name: 'hook-answers-lost',
    about: 'A function replies with an empty 200, and its answer never comes.',
    becomes: 'are lost',
    fate: () => 'is lost',
  }),
  answerFault({
    name: 'hook-answers-late',
    about: 'A function answers by itself, seconds to hours later: its answers overtake one another.',
    becomes: 'come later',
    fate: (_answer, { random }) => ({
      delayMilliseconds: Math.round(random.oneOf([500, 10_000, 90_000, 3_600_000]) * random()),
    }),
  }),
  answerFault({
    name: 'hook-answers-doubled',
    about: 'Answers come again by themselves, at once or minutes later.',
    becomes: 'come again',
    fate: (_answer, { random }) => ({
      again: random.between(1, 3),
      withinMilliseconds: random.oneOf([10, 5_000, 120_000]),
    }),
  }),
  forgery,
];
