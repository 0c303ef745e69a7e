import { type Answers, good, refused, says } from './functions.ts';

/** A mistake, the function that makes it, and the check that finds it with what it shows. */
export type Mistake = [what: string, answers: Answers, check: string, answered: string];

const first = 'a call is answered';
const none = 'dev.phaseout.hook.answer.v1';

/** The same, but for some of its calls. */
const butFor =
  (isMeant: Parameters<typeof matches>[0], wrong: Answers): Answers =>
  (heard) =>
    matches(isMeant, heard) ? wrong(heard) : good(heard);

const matches = (isMeant: (heard: Parameters<Answers>[0]) => boolean, heard: Parameters<Answers>[0]) =>
  heard.uid !== '' && heard.type === 'dev.phaseout.hook.call.v1' && isMeant(heard);

const always = (wrong: Answers): Answers => butFor(() => true, wrong);

const broken = { status: 500, headers: {}, body: 'KeyError' };

/** Remembers the first token for ever. */
function withOneToken(): Answers {
  let kept: string | undefined;
  return always(({ token }) => says((kept ??= token), { state: 'Working' }));
}

/** Remembers that it is done, and not for which Machine. */
function withOneFlag(): Answers {
  let isDone = false;
  return (heard) => {
    const reply = good(heard);
    if (reply?.body.includes('Done') === true) isDone = true;
    return isDone && reply !== refused ? says(heard.token, { state: 'Done' }) : reply;
  };
}

/** What authors of functions get wrong. */
export const mistakes: readonly Mistake[] = [
  ['does not answer within 30 s', always(() => undefined), first, 'the time-out passed'],
  ['answers an empty 200', always(() => ({ status: 200, headers: {}, body: '' })), first, '200 (empty)'],
  [
    'answers JSON that is no event',
    always(() => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"state":"Done"}',
    })),
    first,
    '200 {"state":"Done"} (its body is no event)',
  ],
  ['answers {}', always(({ token }) => says(token, {})), first, 'state is missing'],
  [
    'answers a state that there is not',
    always(({ token }) => says(token, { state: 'Complete' })),
    first,
    'state is "Complete", not Done, Working, Failed',
  ],
  [
    'answers with another type',
    always(({ token }) => says(token, { state: 'Done' }, { 'ce-type': 'dev.phaseout.hook.call.v1' })),
    first,
    `its type is "dev.phaseout.hook.call.v1", not ${none}`,
  ],
  [
    'answers with another content type',
    always(({ token }) => says(token, { state: 'Done' }, { 'content-type': 'text/plain' })),
    first,
    '"text/plain" is not JSON',
  ],
  [
    'forgets answerto',
    always(() => {
      const { 'ce-answerto': _, ...headers } = says('', { state: 'Done' }).headers;
      return { ...says('', { state: 'Done' }), headers };
    }),
    first,
    'it has no attribute answerto',
  ],
  ['answers the call of another turn', withOneToken(), 'each answer has the token of its own call', 'answer'],
  [
    'is behind a redirect',
    always(() => ({ status: 302, headers: { location: '/' }, body: '' })),
    first,
    '302',
  ],
  [
    'answers 500 to a repeat',
    butFor(
      ({ timesOfToken }) => timesOfToken === 2,
      () => broken,
    ),
    'a call that comes twice is answered twice',
    '500 KeyError',
  ],
  [
    'knows only turns that it has heard from the first call on',
    butFor(
      ({ data }) => data['attempt'] === 7,
      () => broken,
    ),
    'a turn that it first hears of in the seventh call is answered: it may have been restarted',
    '500 KeyError',
  ],
  [
    'needs a Node',
    butFor(
      ({ data }) => data['node'] === undefined,
      () => broken,
    ),
    'a Machine without a Node, providerID, Cluster and labels is answered',
    '500 KeyError',
  ],
  [
    'refuses fields that it does not know',
    butFor(
      ({ data }) => 'later' in data,
      () => broken,
    ),
    'attributes and fields that it does not know are ignored',
    '500 KeyError',
  ],
  [
    'says Done to whatever comes',
    ({ token }) => says(token, { state: 'Done' }),
    'a call without a Machine is not answered with Done',
    '{"state":"Done"}',
  ],
  [
    'writes a long message',
    always(({ token }) => says(token, { state: 'Working', message: 'x'.repeat(2_000) })),
    first,
    'message is longer than 1024 bytes: cut off',
  ],
  [
    'writes retryAfter as text',
    always(({ token }) => says(token, { state: 'Working', retryAfter: '60' })),
    first,
    'retryAfter is "60", not a number: left out',
  ],
  [
    'never comes to an end',
    always(({ token }) => says(token, { state: 'Failed', message: 'no such osd' })),
    'it says Done in the end',
    'Failed: no such osd (does it need a Machine that exists? See --call)',
  ],
  [
    'takes Done back',
    butFor(
      ({ timesOfUid }) => timesOfUid === 4,
      ({ token }) => says(token, { state: 'Working' }),
    ),
    'Done stays Done, whichever call of the turn comes again',
    'Working (to call 1 of the turn)',
  ],
  [
    'is done with all Machines once it is with one',
    withOneFlag(),
    'another Machine is not Done because this one is',
    'Done, to the first call',
  ],
];
