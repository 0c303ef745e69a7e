import { type Operation, operations } from '../../../shared/actuator/contract.ts';
import {
  type ActuatorRefusal,
  type MachineErrorReason,
  machineErrorReasons,
} from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { type CloudSettings, cloudAnnotations } from './settings.ts';

/** The failures that Machines ask for, each as often as it was asked for. */
export function createRequestedFailures(clock: Clock, { hangSeconds }: Pick<CloudSettings, 'hangSeconds'>) {
  const given = new Map<string, number>();
  const hanging = new Set<() => void>();

  function take(
    operation: Operation,
    machine: KubeObject,
    text: string,
  ): Failure | ActuatorRefusal | undefined {
    const list = readFailureList(text);
    if (list.kind === 'wrong') return { kind: 'failed', reason: 'InvalidConfiguration', message: list.why };
    for (const [index, { operation: failing, failure, times }] of list.failures.entries()) {
      if (failing !== operation) continue;
      const key = [machine.metadata.uid, text, index].join(' ');
      const before = given.get(key) ?? 0;
      if (before >= times) continue;
      given.set(key, before + 1);
      return failure;
    }
    return undefined;
  }

  async function hang(operation: Operation): Promise<never> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        hanging.delete(end);
        resolve();
      };
      const cancel = clock.after(hangSeconds * 1000, end);
      hanging.add(end);
    });
    throw new Unavailable(`${operation} hung, as the Machine asks for`);
  }

  return {
    /** The next failure of the operation, if the Machine asks for one. Throws Unavailable where that is the failure. */
    async next(operation: Operation, machine: KubeObject): Promise<ActuatorRefusal | undefined> {
      const text = machine.metadata.annotations?.[cloudAnnotations.providerFails];
      const failure = text === undefined ? undefined : take(operation, machine, text);
      if (failure?.kind === 'hang') return hang(operation);
      if (failure?.kind === 'broken')
        throw new Unavailable(`${operation} broke down, as the Machine asks for`);
      return failure && { message: `${operation} fails, as the Machine asks for`, ...failure };
    },
    close(): void {
      for (const end of hanging) end();
    },
  };
}

type Failure =
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

type FailureList = { kind: 'read'; failures: RequestedFailure[] } | { kind: 'wrong'; why: string };

/** Reads the annotation; its grammar stands with its name, in settings.ts. */
function readFailureList(text: string): FailureList {
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
