import { hookCallType } from '../../../../events/hook-call.ts';
import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';

/** A question to the function of a DeletionHook, as phaseout sends it. */
export interface SentCall {
  id: string;
  /** `namespace/name` of the DeletionHook. */
  hook: string;
  place: string;
  machineUid: string;
  begins: number;
  attempt: number;
}

/** Undefined for all other events. */
export function callIn({ attributes, data }: CloudEvent): SentCall | undefined {
  if (attributes['type'] !== hookCallType) return undefined;
  const read: unknown = JSON.parse(Buffer.from(data).toString());
  return {
    id: attributes['id'] ?? '',
    hook: textAt(read, 'hook') ?? '',
    place: textAt(read, 'place') ?? '',
    machineUid: textAt(read, 'machine', 'uid') ?? '',
    begins: Date.parse(textAt(read, 'begins') ?? ''),
    attempt: Number(recordAt(read)['attempt']),
  };
}

/** Names a turn: of a DeletionHook, for a Machine, from a moment on. */
export const turnKey = (hook: string, machineUid: string, begins: number): string =>
  `${hook} ${machineUid} ${begins}`;
