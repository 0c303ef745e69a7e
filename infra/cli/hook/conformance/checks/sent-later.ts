import { type Outcome, Unmet } from '../../../../conformance/outcome.ts';
import { pause } from '../../../../local/eventing/pause.ts';
import { printable } from '../../../../terminal/words.ts';
import type { Bench, Check } from '../check.ts';
import { answerIn } from '../exchange.ts';
import { wordsOf } from './work.ts';

/** What a function sends to the Broker's address, also after its last call. */
export const sentLater: readonly Check[] = [
  { name: 'each message is an answer to a call', run: mustAllCount },
  { name: 'what is no call gets no Done', run: mustNotPassLater },
  { name: 'nothing else follows Done in one turn', run: mustEndOnce },
];

/** What still runs may send another end. */
const settleSeconds = 5;

async function mustAllCount({ client, turns, clock, interrupted }: Bench): Promise<Outcome | void> {
  await pause(clock, settleSeconds * 1_000, interrupted);
  const sent = client.heard.filter(({ isSentLater }) => isSentLater);
  if (sent.length === 0)
    return { kind: 'noted', note: 'nothing came to the Broker: all answers were replies' };
  for (const { reading, shown } of sent) {
    if (reading.kind === 'none') throw new Unmet('answers, and nothing else', `${shown} (${reading.why})`);
    const { answer, notes } = reading;
    if (!turns.hasToken(answer.answerTo))
      throw new Unmet('the token of a call', `answerto ${printable(answer.answerTo)}`);
    if (notes.length > 0) throw new Unmet('answers within their limits', `${shown} (${notes.join('; ')})`);
  }
}

async function mustNotPassLater({ client, notCalls }: Bench): Promise<void> {
  const passed = client.heard.find((exchange) => {
    const answer = answerIn(exchange);
    return answer?.state === 'Done' && notCalls.includes(answer.answerTo);
  });
  if (passed !== undefined) throw new Unmet('no Done for what is no call', passed.shown);
}

async function mustEndOnce({ client }: Bench): Promise<void> {
  const ended = new Set<string>();
  for (const exchange of client.heard) {
    const answer = answerIn(exchange);
    if (answer === undefined) continue;
    if (answer.state === 'Done') ended.add(answer.answerTo);
    else if (ended.has(answer.answerTo)) throw new Unmet('nothing but Done after Done', wordsOf(answer));
  }
}
