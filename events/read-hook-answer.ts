import * as z from 'zod';
import { type HookAnswer, hookStates } from '../shared/machine/hook-call.ts';
import { cutToBytes } from '../shared/text/truncate.ts';
import type { CloudEvent } from './envelope.ts';
import { hookAnswerType, maxMessageBytes, retryAfterRange } from './hook-answer.ts';
import { answerTo } from './hook-call.ts';

/** `notes`: what was left out or changed, in words for the function's author. */
export type HookAnswerReading =
  | { kind: 'answer'; answer: HookAnswer; notes: string[] }
  | { kind: 'none'; why: string };

const stateWord = z.enum(hookStates);
const token = z.object({ answerto: answerTo });
const fields = z.record(z.string(), z.unknown());

/**
 * Reads what a function sent as its answer, or undefined where it sent no event. Type, token and state must be exact:
 * nothing else counts. A message or time that breaks a limit is clamped, with a note. Never throws.
 */
export function readHookAnswer(event: CloudEvent | undefined): HookAnswerReading {
  if (event === undefined) return none('there is no event in it');
  if (event.type !== hookAnswerType) return none(`its type is ${shown(event.type)}, not ${hookAnswerType}`);
  const named = token.safeParse(event);
  if (!named.success) return none(whyNoToken(event['answerto']));
  const data = fields.safeParse(event.data);
  if (!data.success) return none('its data are no JSON object');
  const state = stateWord.safeParse(data.data['state']);
  if (!state.success) return none(`state is ${shown(data.data['state'])}, not ${hookStates.join(', ')}`);
  const message = readMessage(data.data['message']);
  const wait = readRetryAfter(data.data['retryAfter']);
  return {
    kind: 'answer',
    answer: { answerTo: named.data.answerto, state: state.data, ...message.value, ...wait.value },
    notes: [...message.notes, ...wait.notes],
  };
}

const none = (why: string): HookAnswerReading => ({ kind: 'none', why });

const whyNoToken = (found: unknown): string =>
  found === undefined ? 'it has no attribute answerto' : 'its attribute answerto is no token';

interface Clamped<T> {
  value: T;
  notes: string[];
}

/** Controls would break a line. Marks of direction would turn the text around them. */
const controls = /[\p{Cc}\u2028\u2029]+/gu;
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function readMessage(sent: unknown): Clamped<{ message?: string }> {
  if (absent(sent)) return { value: {}, notes: [] };
  if (typeof sent !== 'string')
    return { value: {}, notes: [`message is ${shown(sent)}, not text: left out`] };
  const plain = sent.toWellFormed().replaceAll(directions, '').replaceAll(controls, ' ').trim();
  const message = cutToBytes(plain, maxMessageBytes);
  const notes = [
    ...(plain === sent.trim() ? [] : ['message has control characters: left out']),
    ...(message === plain ? [] : [`message is longer than ${maxMessageBytes} bytes: cut off`]),
  ];
  return { value: message === '' ? {} : { message }, notes };
}

function readRetryAfter(sent: unknown): Clamped<{ retryAfterSeconds?: number }> {
  if (absent(sent)) return { value: {}, notes: [] };
  if (typeof sent !== 'number' || !Number.isFinite(sent)) {
    return { value: {}, notes: [`retryAfter is ${shown(sent)}, not a number: left out`] };
  }
  const { min, max } = retryAfterRange;
  const retryAfterSeconds = Math.min(max, Math.max(min, Math.ceil(sent)));
  const notes =
    retryAfterSeconds === sent
      ? []
      : [`retryAfter is ${sent}, not whole seconds from ${min} to ${max}: ${retryAfterSeconds} counts`];
  return { value: { retryAfterSeconds }, notes };
}

const absent = (sent: unknown): boolean => sent === undefined || sent === null;

/** At most so much of a foreign value in a note. */
const shownBytes = 64;

/** A foreign value as a note may show it: JSON has no control characters. */
const shown = (value: unknown): string =>
  value === undefined ? 'missing' : cutToBytes(JSON.stringify(value).replaceAll(directions, ''), shownBytes);
