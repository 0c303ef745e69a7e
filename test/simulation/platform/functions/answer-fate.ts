import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';

/** Ways in which an answer is none, though it says Done. */
export const falsehoods = [
  'another type',
  'an unknown state',
  'no token',
  'the proof of another turn',
  'another turn under its proof',
  'a proof of its own',
  'a token cut short',
] as const;
export type Falsehood = (typeof falsehoods)[number];

/** What becomes of an answer of a function. */
export type AnswerFate =
  | 'is the reply'
  /** The function replies with an empty 200. */
  | 'is lost'
  /** It comes by itself, after so long. */
  | { delayMilliseconds: number }
  /** It comes so many times more, by itself. */
  | { again: number; withinMilliseconds: number }
  /** The function gives a false answer in its place, which says Done. */
  | { falsely: Falsehood; token?: string };

interface Outcome {
  reply?: CloudEvent;
  later: { event: CloudEvent; milliseconds: number }[];
  /** For the story. */
  words?: string;
}

/** What comes of an answer that has this fate. `count` makes names that no other event has. */
export function sent(fate: AnswerFate, event: CloudEvent, count: number): Outcome {
  if (fate === 'is the reply') return { reply: event, later: [] };
  if (fate === 'is lost') return { later: [] };
  if ('delayMilliseconds' in fate) return { later: [{ event, milliseconds: fate.delayMilliseconds }] };
  if ('again' in fate) {
    const later = Array.from({ length: fate.again }, (_, index) => ({
      event,
      milliseconds: Math.round((fate.withinMilliseconds * (index + 1)) / fate.again),
    }));
    return { reply: event, later };
  }
  const id = `false-answer-${count}`;
  return {
    reply: falseAnswer(event, id, fate),
    later: [],
    words: `says Done with ${fate.falsely}`,
  };
}

/** Done, but for what makes it false. */
function falseAnswer(
  { attributes }: CloudEvent,
  id: string,
  { falsely, token: other = '' }: Extract<AnswerFate, { falsely: Falsehood }>,
): CloudEvent {
  const { answerto: own = '', ...rest } = attributes;
  const state = falsely === 'an unknown state' ? 'done' : 'Done';
  const answerto = tokenOf(falsely, own, other);
  return {
    attributes: {
      ...rest,
      id,
      ...(answerto !== undefined && { answerto }),
      ...(falsely === 'another type' && { type: 'dev.example.done.v1' }),
    },
    data: Buffer.from(JSON.stringify({ state, message: 'it is not' })),
  };
}

function tokenOf(falsely: Falsehood, own: string, other: string): string | undefined {
  const [turn = '', proof = ''] = own.split('.');
  const [otherTurn = turn, otherProof = ''] = other.split('.');
  if (falsely === 'no token') return undefined;
  if (falsely === 'the proof of another turn') return `${turn}.${differing(proof, otherProof)}`;
  if (falsely === 'another turn under its proof')
    return `${otherTurn === turn ? changed(turn) : otherTurn}.${proof}`;
  if (falsely === 'a proof of its own') return `${turn}.${changed(proof)}`;
  return falsely === 'a token cut short' ? own.slice(0, -1) : own;
}

const differing = (proof: string, other: string): string =>
  other === '' || other === proof ? changed(proof) : other;

/** Of the same length, and still letters of base64url. */
const changed = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
