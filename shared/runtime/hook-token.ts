import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { hookPlaces } from '../machine/hook-call.ts';

/** What a token is proof of: the turn of one DeletionHook for one Machine. */
const turnSchema = z.strictObject({
  machine: z.strictObject({
    apiVersion: z.string().min(1),
    namespace: z.string(),
    name: z.string().min(1),
    uid: z.string().min(1),
  }),
  hook: z.string().min(1),
  place: z.enum(hookPlaces),
  begin: z.int(),
  /** Of the checkpoint at the call. A turn ends with its phase. */
  seq: z.int().min(0),
});

/** The turn that a call is made in. `hook`: UID of the DeletionHook. */
export type HookTurn = z.infer<typeof turnSchema>;

/** The turn, and the proof that phaseout has asked in it. Only who was asked knows it. */
export function tokenOf(turn: HookTurn, key: string): string {
  const { machine, hook, place, begin, seq } = turn;
  const { apiVersion, namespace, name, uid } = machine;
  const text = JSON.stringify({ machine: { apiVersion, namespace, name, uid }, hook, place, begin, seq });
  return `${Buffer.from(text).toString('base64url')}.${proofOf(text, key)}`;
}

/** The turn that a token is proof of; undefined where it is none of ours. Never throws. */
export function turnOf(token: string, key: string): HookTurn | undefined {
  const [encoded = '', proof = '', ...more] = token.split('.');
  if (more.length > 0) return undefined;
  const text = Buffer.from(encoded, 'base64url').toString('utf8');
  if (!isEqual(proof, proofOf(text, key))) return undefined;
  try {
    return turnSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Names a call of a turn: the same slot of time is the same call. */
export const callId = (turn: HookTurn, attempt: number): string =>
  createHash('sha256')
    .update(JSON.stringify([turn.machine.uid, turn.hook, turn.place, turn.begin, attempt]))
    .digest('hex')
    .slice(0, 32);

const proofOf = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** In a time that does not tell how much of it is right. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
