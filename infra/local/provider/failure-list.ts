import { type Operation, operations } from '../../../shared/actuator/contract.ts';
import { type MachineErrorReason, machineErrorReasons } from '../../../shared/actuator/port.ts';
import { cloudAnnotations } from './settings.ts';

export type Failure =
  | { kind: 'failed'; reason: MachineErrorReason | undefined }
  | { kind: 'retry'; afterSeconds: number }
  | { kind: 'hang' }
  | { kind: 'broken' };

/** A failure that a Machine asks for. */
interface RequestedFailure {
  operation: Operation;
  failure: Failure;
  /** Infinity where no number was given. */
  times: number;
}

export type FailureList = { kind: 'read'; failures: RequestedFailure[] } | { kind: 'wrong'; why: string };

/** Reads the annotation; its grammar stands with its name, in settings.ts. */
export function readFailureList(text: string): FailureList {
  const items = text.split(',').map((item) => item.trim());
  const failures = items.filter((item) => item !== '').map(readItem);
  const wrong = failures.find((each) => typeof each === 'string');
  if (wrong !== undefined) return { kind: 'wrong', why: `${cloudAnnotations.providerFails}: ${wrong}` };
  return { kind: 'read', failures: failures.filter((each) => typeof each !== 'string') };
}

/** The failure, or what is wrong with the text. */
function readItem(item: string): RequestedFailure | string {
  const [, name, what = '', times] = /^(\w+)=([\w/.]+)(?::(\d+))?$/.exec(item) ?? [];
  if (name === undefined) return `"${item}" is not operation=failure or operation=failure:times`;
  const operation = operations.find((each) => each === name);
  if (operation === undefined) return `"${name}" is none of ${operations.join(', ')}`;
  const failure = failureOf(what);
  if (failure === undefined) {
    return `"${what}" is none of ${machineErrorReasons.join(', ')}, failed, retry/SECONDS, hang, 500`;
  }
  return { operation, failure, times: times === undefined ? Number.POSITIVE_INFINITY : Number(times) };
}

function failureOf(what: string): Failure | undefined {
  const reason = machineErrorReasons.find((each) => each === what);
  if (reason !== undefined || what === 'failed') return { kind: 'failed', reason };
  if (what === 'hang') return { kind: 'hang' };
  if (what === '500') return { kind: 'broken' };
  const [, seconds] = /^retry\/(\d+(?:\.\d+)?)$/.exec(what) ?? [];
  return seconds === undefined ? undefined : { kind: 'retry', afterSeconds: Number(seconds) };
}
