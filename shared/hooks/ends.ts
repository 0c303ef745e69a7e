import type { HookEnding } from '../machine/hook-call.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import { clockToleranceMilliseconds, type Instant } from '../time/clock.ts';
import { type Asked, isPassedUnrecorded, isPending } from './asked.ts';
import { type Silence, silenceOf } from './silence.ts';
import { isSilent, isToProceed, isToWriteCall, recordOf, stoppedFor } from './times.ts';

/** A turn that ends now, for the history and all who listen. */
export interface Ended {
  name: string;
  as: HookEnding;
  why: string;
}

interface Around {
  records: readonly HookRecord[];
  undelivered?: readonly string[];
  bypass: string | undefined;
  clusterGoes: boolean;
  now: Instant;
  beginning: Instant;
}

/** The hooks of a place as they are now: which turns end, which begin, and what their functions have said. */
export function advancedTurn(
  before: readonly Asked[],
  around: Around,
): { after: Asked[]; ended: Ended[]; isChanged: boolean } {
  const closed = before.map((each) => (isPending(each) ? closedNow(each, around) : recorded(each)));
  const orders = closed.filter(isPending).map(({ order }) => order);
  const lowest = Math.min(...orders);
  const after = closed.map((each) =>
    isPending(each) && each.order === lowest ? carriedOn(each, around) : each,
  );
  const ended = after.flatMap((each, index) =>
    each.end !== undefined && each.end !== before[index]?.end
      ? [{ name: each.name, as: each.end.as, why: whyOf(each.end) }]
      : [],
  );
  return { after, ended, isChanged: after.some((each, index) => each !== before[index]) };
}

/** With the person who decided it. */
const whyOf = ({ by, why }: NonNullable<Asked['end']>): string =>
  by === undefined ? why : `by ${by}: ${why}`;

/** What a person has written down is recorded once. */
const recorded = (asked: Asked): Asked =>
  asked.end === undefined || !isPassedUnrecorded(asked)
    ? asked
    : { ...asked, end: { ...asked.end, isRecorded: true } };

/** The hook with the end of its turn, if that ends now. Only a turn that has begun is ended by its function. */
function closedNow(asked: Asked, around: Around): Asked {
  const { now } = around;
  const end = (as: HookEnding, why: string): Asked => ({
    ...asked,
    end: { as, at: new Date(now).toISOString(), why },
  });
  const bypassed = whyBypassed(asked, around);
  if (bypassed !== undefined) return end('Bypassed', bypassed);
  if (asked.begin === undefined) return asked;
  const answer = recordOf(asked, around)?.answer;
  if (answer?.state === 'Done') return end('Done', answer.message ?? 'its function has answered Done');
  if (isToProceed(withStop(asked, around), around))
    return end('Proceeded', `its timeout of ${asked.timeoutSeconds} s is over, and onTimeout is Proceed`);
  return asked;
}

/** Why its Machine passes it without an answer; undefined where it does not. */
export function whyBypassed(
  { onClusterDeletion }: Pick<Asked, 'onClusterDeletion'>,
  { bypass, clusterGoes }: Pick<Around, 'bypass' | 'clusterGoes'>,
): string | undefined {
  if (bypass !== undefined) return bypass;
  return clusterGoes && onClusterDeletion === 'Proceed'
    ? 'its Cluster is being deleted, and onClusterDeletion is Proceed'
    : undefined;
}

/** The hook whose turn it is: begun, and with what was heard of it. The very same where nothing is new. */
function carriedOn(asked: Asked, around: Around): Asked {
  if (asked.begin === undefined || isAhead(asked, around)) {
    const again = begun(asked, around.beginning);
    // A record that is ahead stays so: the turn has begun again already, and there is nothing to forget.
    const isSame = again.begin === asked.begin && Object.keys(again).length === Object.keys(asked).length;
    return isSame ? asked : again;
  }
  return withSilence(withWords(withCall(withStop(asked, around), around), around), around);
}

/** A clock that was ahead has dated something of the turn. Until then nothing would be asked. */
function isAhead(asked: Asked, around: Around): boolean {
  const { begin, resumed, called, said } = asked;
  const { askedAt, answer } = recordOf(asked, around) ?? {};
  const told = [begin, resumed, called, said?.at].map((at) => Date.parse(at ?? ''));
  return [...told, askedAt, answer?.at].some((at = 0) => at - around.beginning > clockToleranceMilliseconds);
}

/** What was known of a turn before counts no more: that clock was wrong. */
function begun(asked: Asked, beginning: Instant): Asked {
  const { stoppedSeconds: _stopped, resumed: _resumed, called: _called, ...rest } = asked;
  const { said: _said, silentSince: _silentSince, ...kept } = rest;
  return { ...kept, begin: new Date(beginning).toISOString() };
}

function withStop(asked: Asked, around: Around): Asked {
  const stopped = stoppedFor(asked, around);
  if (stopped === 0) return asked;
  const { stoppedSeconds = 0 } = asked;
  return {
    ...asked,
    stoppedSeconds: stoppedSeconds + stopped,
    resumed: new Date(around.now).toISOString(),
  };
}

const withCall = (asked: Asked, around: Around): Asked =>
  isToWriteCall(asked, around) ? { ...asked, called: new Date(around.now).toISOString() } : asked;

/** The words are written down when they change, and not at each sign of life. */
function withWords(asked: Asked, around: Around): Asked {
  const answer = recordOf(asked, around)?.answer;
  const { said } = asked;
  if (answer === undefined || (said?.state === answer.state && said.message === answer.message)) return asked;
  // Another instance may have written down what this store no longer knows.
  if (said !== undefined && Date.parse(said.at) > answer.at) return asked;
  const { state, message, at } = answer;
  return {
    ...asked,
    said: { state, ...(message !== undefined && { message }), at: new Date(at).toISOString() },
  };
}

/** What is written down stays where nothing else is known: a record may be lost. */
const isToldBy = (asked: Asked, { cause }: Silence, around: Around): boolean =>
  asked.silence?.cause === cause || (cause === 'unanswered' && recordOf(asked, around) === undefined);

function withSilence(asked: Asked, around: Around): Asked {
  const { silentSince, silence, ...heard } = asked;
  if (!isSilent(asked, around)) return silentSince === undefined ? asked : heard;
  const now = silenceOf(asked, around);
  if (silence !== undefined && isToldBy(asked, now, around)) return asked;
  return { ...asked, silentSince: silentSince ?? new Date(around.now).toISOString(), silence: now };
}
