import { type HookAnswerReading, readHookAnswer } from '../../../../events/read-hook-answer.ts';
import { readCloudEvent } from '../../../../shared/http/cloud-events/cloud-event.ts';
import { MalformedEvent } from '../../../../shared/http/cloud-events/well-formed.ts';
import type { HookAnswer } from '../../../../shared/machine/hook-call.ts';
import { cut } from '../../../../shared/text/truncate.ts';
import type { CloudEvent } from '../../../local/eventing/event.ts';
import { binaryHeaders, flatten } from '../../../local/eventing/http-binding.ts';
import { printable } from '../../../terminal/words.ts';

/** What a function said, and what phaseout reads in it. */
export interface Exchange {
  /** What came, in one line. */
  shown: string;
  reading: HookAnswerReading;
  /** Its `answerto`, where it has one. */
  token: string | undefined;
  /** It came to the Broker's address, not as the reply to a call. */
  isSentLater: boolean;
}

/** The answer in it, where it has one. */
export const answerIn = ({ reading }: Exchange): HookAnswer | undefined =>
  reading.kind === 'answer' ? reading.answer : undefined;

/** Reads an event of the function as phaseout would. */
export function readEvent(event: CloudEvent): HookAnswerReading {
  try {
    return readHookAnswer(readCloudEvent(flatten(binaryHeaders(event)), event.data));
  } catch (error) {
    if (!(error instanceof MalformedEvent)) throw error;
    return { kind: 'none', why: error.message };
  }
}

/** An event in one line. */
export const shownEvent = ({ attributes: { type = '' }, data }: CloudEvent): string =>
  `${printable(type)} ${shownText(data)}`;

const longestShown = 300;

/** What a function wrote, in one line. */
export function shownText(body: Uint8Array): string {
  const text = printable(Buffer.from(body).toString());
  return text === '' ? '(empty)' : cut(text, longestShown);
}
