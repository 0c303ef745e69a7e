import type { Actuator, ActuatorTarget } from '../../../shared/actuator/port.ts';
import { dialects } from '../../../shared/dialects/registry.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import type { Tracing } from '../../../shared/runtime/tracing.ts';
import type { Clock } from '../../../shared/time/clock.ts';

interface Observers {
  metrics: Metrics;
  tracing: Tracing;
  clock: Pick<Clock, 'stopwatch'>;
}

/** What every answer of a provider has. */
interface Answer {
  kind: string;
  reason?: string | undefined;
}

/** The same provider, with its calls counted and traced. */
export function observedProvider(actuator: Actuator, observers: Observers): Actuator {
  return {
    exists: (target) => call(observers, 'exists', target, () => actuator.exists(target)),
    create: (target) => call(observers, 'create', target, () => actuator.create(target)),
    update: (target) => call(observers, 'update', target, () => actuator.update(target)),
    delete: (target) => call(observers, 'delete', target, () => actuator.delete(target)),
  };
}

function call<A extends Answer>(
  { metrics, tracing, clock }: Observers,
  operation: keyof Actuator,
  target: ActuatorTarget,
  ask: () => Promise<A>,
): Promise<A> {
  const machineApi = machineApiOf(target);
  return tracing.span(`provider ${operation}`, { kind: 'client' }, async (span) => {
    const age = clock.stopwatch();
    let kind = 'none';
    try {
      const answer = await ask();
      kind = answer.kind;
      if (operation === 'delete') countRefusal(metrics, target, machineApi, answer);
      return answer;
    } finally {
      span.set({ 'phaseout.provider.answer': kind });
      metrics.count('providerCalls', { machine_api: machineApi, operation, answer: kind });
      metrics.observe('providerCallSeconds', { operation }, age() / 1_000);
    }
  });
}

/** Counts as OpenShift's providers do, for its alerts. Their reason is free text, ours is one of a few words. */
function countRefusal(
  metrics: Metrics,
  { machine: { metadata } }: ActuatorTarget,
  machineApi: string,
  { kind, reason = 'Unknown' }: Answer,
): void {
  if (machineApi !== 'openshift' || kind !== 'failed') return;
  const { name, namespace = '' } = metadata;
  metrics.count('instanceDeleteFailed', { name, namespace, reason });
}

const machineApiOf = ({ machine }: ActuatorTarget): string =>
  dialects.find(({ group }) => machine.apiVersion?.startsWith(`${group}/`) === true)?.name ?? 'unknown';
