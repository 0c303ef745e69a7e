import type { DeadLetter } from '../shared/machine/messages.ts';
import type { CloudEvent } from './envelope.ts';
import { factSchemas } from './fact-schemas.ts';
import { hookCallType } from './hook-call.ts';
import { namedMachine } from './machine-of-event.ts';
import { isMissed } from './missed.ts';
import { commandSchemas, hookSchemas, inSchemas } from './types.ts';

/**
 * Reads an event of any type as a dead letter sink gets it. Brokers add which address refused it and why, but not
 * always. They add nothing after a success whose body is no event. `selected` is what the Trigger asks for, if the
 * sink's address says it. Never throws.
 */
export function givenUp(event: CloudEvent, selected = new URLSearchParams()): DeadLetter {
  const { id, type, source } = event;
  const destination = textIn(event, 'knativeerrordest');
  const answerTo = type === hookCallType ? textIn(event, 'answerto') : undefined;
  return {
    id,
    type,
    source,
    kind: kindOf(type),
    destination,
    status: statusIn(event),
    answer: decoded(textIn(event, 'knativeerrordata')),
    machine: namedMachine(event),
    ...(answerTo !== undefined && { answerTo }),
    ...(!isMissed(event, { selected, destination }) && { isNoLoss: true }),
  };
}

function kindOf(type: string): DeadLetter['kind'] {
  if (Object.hasOwn(inSchemas, type)) return 'in';
  if (Object.hasOwn(commandSchemas, type)) return 'command';
  if (Object.hasOwn(hookSchemas, type)) return 'hook';
  return Object.hasOwn(factSchemas, type) ? 'fact' : 'other';
}

function textIn(event: CloudEvent, name: string): string | undefined {
  const value = event[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function statusIn(event: CloudEvent): number | undefined {
  const text = textIn(event, 'knativeerrorcode') ?? '';
  return /^[1-5]\d\d$/.test(text) ? Number(text) : undefined;
}

/** The answer in base64. Brokers cut it off at 1024 bytes, even inside a character. */
const decoded = (encoded: string | undefined): string | undefined =>
  encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
