import { hookCallType } from '../../../events/hook-call.ts';
import { deadLetterPath } from '../../serverless/dead-letter-path.ts';
import type { Subscriber } from '../../serverless/model.ts';
import type { LocalTrigger } from './broker.ts';

/** A function that runs somewhere, and the DeletionHook whose calls it takes. */
export interface HookFunction {
  /** `namespace/name`. */
  hook: string;
  url: string;
}

/** How long a function has for an answer, as `phaseout hook new` writes it into its Trigger. */
export const callTimeout = 'PT30S';

/** The Trigger that `phaseout hook new` writes, for the local Broker. */
export function hookTrigger(
  { hook, url }: HookFunction,
  deadLetter: Subscriber | undefined,
  addressOf: (subscriber: Subscriber) => string,
): LocalTrigger {
  const filter = { attributes: { type: hookCallType, hook } };
  const sink = deadLetter && addressOf({ ...deadLetter, path: deadLetterPath(deadLetter, { filter }) });
  return {
    name: hook.replace('/', '-'),
    filter,
    subscriber: url,
    delivery: { retry: 1, timeout: callTimeout, ...(sink !== undefined && { deadLetterSink: sink }) },
  };
}
