import { createInstance } from '../../../../infra/host/instance.ts';
import { phaseFunctions } from '../../../../infra/host/phases.ts';
import { noActuator } from '../../../../shared/actuator/port.ts';
import { connect } from '../../../../shared/adapters/kubernetes/connect.ts';
import { createWorkloadClusters } from '../../../../shared/adapters/workload-clusters/workload-clusters.ts';
import { assess } from '../../../../shared/assess/assess.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { DeletionPlan } from '../../../../shared/plan/deletion-plan.ts';
import { planOf } from '../../../../shared/plan/plan.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../../shared/store/in-memory.ts';
import type { Clock } from '../../../../shared/time/clock.ts';
import { clockOf } from '../../../builders/clock.ts';
import { kubeConfig } from '../../platform/connection.ts';
import { createSimulatedWire } from '../../wire/wire.ts';
import type { World } from '../../world.ts';

/** What a deletion is planned for. */
type Wanted = Parameters<typeof assess>[2];

/**
 * Makes plans as the command line does, at this very moment. Nothing is late, observers see no requests, and no time
 * goes by. The answer is undefined where no plan could be made.
 */
export function plannerOf(world: World): (wanted: Wanted) => Promise<DeletionPlan | undefined> {
  const clock: Clock = clockOf(() => world.now());
  const { carry } = createSimulatedWire({
    instance: 'planner',
    serverAt: (address) => world.addresses.serverAt(address),
    step: () => Promise.resolve(),
    meddle: () => 'pass',
    seen: () => undefined,
  });
  const connection = { clock, carry };
  const management = connect(kubeConfig, connection);
  const serverOf = (uid: string | undefined) =>
    world.cloud.servers().find(({ machine }) => machine.uid === uid);
  const { environment } = createInstance({
    management,
    workloads: createWorkloadClusters(management, { clock, connection }),
    actuator: {
      ...noActuator,
      exists: async ({ machine }) =>
        serverOf(machine.metadata.uid) === undefined ? { kind: 'absent' } : { kind: 'exists' },
    },
    store: createMemoryStore(clock),
    clock,
    random: () => 0,
    log: silent,
    config: { ...world.config, wakeUps: false },
    outbox: { send: () => Promise.resolve(), publish: () => undefined },
    name: 'planner',
    isOutside: true,
  });
  return async (wanted) => {
    try {
      const assessment = await assess(environment, phaseFunctions, wanted);
      return assessment && planOf(assessment);
    } catch (error) {
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  };
}
