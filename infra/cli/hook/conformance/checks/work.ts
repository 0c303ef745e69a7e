import type { HookAnswer } from '../../../../../shared/machine/hook-call.ts';
import { type Outcome, Unmet } from '../../../../conformance/outcome.ts';
import { pause } from '../../../../local/eventing/pause.ts';
import { answered, type Bench, type Check } from '../check.ts';
import { answerIn } from '../exchange.ts';

/** How the work ends. */
export const work: readonly Check[] = [
  { name: 'it says Done in the end', run: untilDone },
  { name: 'it says Done only once the work is done', run: mustBeProven },
  { name: 'Done stays Done, whichever call of the turn comes again', run: mustStayDone },
  { name: 'another Machine is not Done because this one is', run: mustTellApart },
];

/** Between two calls where the answer names no time. */
const everySeconds = 2;

/** An answer in words. */
export const wordsOf = ({ state, message }: HookAnswer): string =>
  message === undefined ? state : `${state}: ${message}`;

async function untilDone(bench: Bench): Promise<void> {
  const { client, turn, clock, answers, deadlineSeconds, interrupted } = bench;
  const deadline = clock.now() + deadlineSeconds * 1_000;
  for (let attempt = answers.length + 1; !isDone(bench); attempt += 1) {
    const seconds = answers.at(-1)?.retryAfterSeconds ?? everySeconds;
    if (clock.now() + seconds * 1_000 > deadline) throw tooLate(bench);
    await pause(clock, seconds * 1_000, interrupted);
    if (interrupted.aborted) return;
    const sent = client.heard.map(answerIn).findLast((each) => each?.answerTo === turn.call.answerTo);
    if (sent !== undefined && sent !== answers.at(-1)) answers.push(sent);
    if (isDone(bench)) return;
    const last = answers.at(-1)?.message;
    const { answer } = await answered(
      bench,
      turn.event(attempt, last === undefined ? {} : { lastMessage: last }),
    );
    answers.push(answer);
  }
}

const isDone = ({ answers }: Bench): boolean => answers.at(-1)?.state === 'Done';

function tooLate({ answers, deadlineSeconds, turns }: Bench): Unmet {
  const last = answers.at(-1);
  const hint = turns.isOwn ? '' : ' (does it need a Machine that exists? See --call)';
  return new Unmet(
    `Done within ${deadlineSeconds} s`,
    `${last === undefined ? 'nothing' : wordsOf(last)}${hint}`,
  );
}

const notDone: Outcome = { kind: 'skipped', why: 'it has not said Done' };

async function mustBeProven(bench: Bench): Promise<Outcome | void> {
  const { proof, turn, wasProven, answers } = bench;
  if (!isDone(bench)) return notDone;
  if (proof === undefined) {
    const isAtOnce = answers.length === 1;
    return isAtOnce
      ? { kind: 'noted', note: 'it says Done to the first call: --proof COMMAND tells whether that is true' }
      : { kind: 'skipped', why: '--proof COMMAND tells' };
  }
  if (wasProven) return { kind: 'skipped', why: 'by --proof the work was done before the first call' };
  if (!(await proof(turn))) throw new Unmet('Done only where --proof ends with 0', 'Done, and --proof fails');
}

async function mustStayDone(bench: Bench): Promise<Outcome | void> {
  const { turn, answers } = bench;
  if (!isDone(bench)) return notDone;
  for (const attempt of [answers.length, 1, answers.length + 1]) {
    const { answer } = await answered(bench, turn.event(attempt));
    if (answer.state !== 'Done')
      throw new Unmet('Done again', `${wordsOf(answer)} (to call ${attempt} of the turn)`);
  }
}

/** Only where this one needed time: a function that has nothing to do says Done to each at once. */
async function mustTellApart(bench: Bench): Promise<Outcome | void> {
  if (!isDone(bench)) return notDone;
  if (bench.turns.isOwn) return { kind: 'skipped', why: 'all calls are about the Machine of --call' };
  if (bench.answers.length === 1) return { kind: 'skipped', why: 'the first call was answered with Done' };
  const { answer } = await answered(bench, bench.turns.begin().event(1));
  if (answer.state === 'Done')
    throw new Unmet('Working first, as for the Machine before', `${wordsOf(answer)}, to the first call`);
}
