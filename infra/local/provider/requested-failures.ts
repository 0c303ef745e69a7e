import type { Operation } from '../../../shared/actuator/contract.ts';
import type { ActuatorRefusal } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { type Failure, readFailureList } from './failure-list.ts';
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
