import { type Answers, accepted, answersLater, good, type Reply, says, sendLater } from './functions.ts';
import type { Mistake } from './mistakes.ts';

/** As a mistake, but of a function that knows the Broker's address. */
type LaterMistake = [
  what: Mistake[0],
  answers: (broker: string) => Answers,
  check: Mistake[2],
  answered: Mistake[3],
];

const first = 'a call is answered';

/** Answers calls with what `wrong` says, later. */
const later =
  (wrong: (heard: Parameters<Answers>[0], right: Reply) => readonly Reply[]) =>
  (broker: string): Answers =>
  (heard) => {
    const right = good(heard);
    if (right?.status !== 200) return right;
    void sendLater(broker, ...wrong(heard, right));
    return accepted;
  };

const withHeaders = (reply: Reply, headers: Record<string, string>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});

function without(reply: Reply, header: string): Reply {
  const { [header]: _, ...headers } = reply.headers;
  return { ...reply, headers };
}

/** Sends each answer with the token of the call before. */
function oneTokenBehind(broker: string): Answers {
  let kept: string | undefined;
  return later(({ token }, right) => {
    const behind = kept ?? token;
    kept = token;
    return [withHeaders(right, { 'ce-answerto': behind })];
  })(broker);
}

/** What authors of functions that answer later get wrong. */
export const laterMistakes: readonly LaterMistake[] = [
  ['sends nothing', later(() => []), first, '202 (empty), and nothing for this turn at http://127.0.0.1:'],
  [
    'forgets answerto',
    later((_heard, right) => [without(right, 'ce-answerto')]),
    first,
    'it has no attribute answerto',
  ],
  [
    'sends another type',
    later((_heard, right) => [withHeaders(right, { 'ce-type': 'dev.phaseout.hook.call.v1' })]),
    first,
    'its type is "dev.phaseout.hook.call.v1", not dev.phaseout.hook.answer.v1',
  ],
  [
    'sends JSON that is no event',
    later((_heard, right) => [without(right, 'ce-specversion')]),
    first,
    'a message to the Broker (not a CloudEvent)',
  ],
  [
    'sends an event without a source',
    later((_heard, right) => [without(right, 'ce-source')]),
    first,
    'a message to the Broker (source: MUST be a non-empty string)',
  ],
  [
    'sends to another path',
    (broker) => later((_heard, right) => [right])(broker.replace(/\/phaseout$/, '/default')),
    first,
    'a message to the Broker (no Broker is at /phaseout/default)',
  ],
  [
    'sends the token of the call before',
    oneTokenBehind,
    'each answer has the token of its own call',
    'and nothing for this turn at',
  ],
  [
    'answers 500, and sends Done',
    (broker) => (heard) => {
      const reply = answersLater(broker, good)(heard);
      return reply === accepted ? { status: 500, headers: {}, body: 'KeyError' } : reply;
    },
    first,
    '500 KeyError',
  ],
  [
    'says nothing to a call that comes again',
    later(({ timesOfToken }, right) => (timesOfToken === 1 ? [right] : [])),
    'a call that comes twice is answered twice',
    'and nothing for this turn at',
  ],
  [
    'sends Failed after Done',
    later(({ token, timesOfUid, data }, right) =>
      timesOfUid === 2 && data['attempt'] === 1
        ? [right, says(token, { state: 'Failed', message: 'no such osd' })]
        : [right],
    ),
    'nothing else follows Done in one turn',
    'Failed: no such osd',
  ],
  [
    'sends Done for what is no call',
    (broker) => (heard) => {
      if (heard.type === 'dev.phaseout.hook.call.v1' && heard.uid !== '')
        return answersLater(broker, good)(heard);
      void sendLater(broker, says(heard.token, { state: 'Done' }));
      return accepted;
    },
    'what is no call gets no Done',
    'sent to the Broker dev.phaseout.hook.answer.v1 {"state":"Done"}',
  ],
  [
    'sends what is no answer beside it',
    later(({ token, data }, right) =>
      data['attempt'] === 3 ? [right, says(token, { state: 'Finished' })] : [right],
    ),
    'each message is an answer to a call',
    'state is "Finished", not Done, Working, Failed',
  ],
  [
    'sends a token of its own beside it',
    later((_heard, right) => [right, says('mine', { state: 'Working' })]),
    'each message is an answer to a call',
    'answerto mine',
  ],
];
