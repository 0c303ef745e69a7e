import { expect, test } from 'vitest';
import type { OutEvent } from '../../../events/types.ts';
import { createInstance } from '../../../infra/host/instance.ts';
import { noActuator } from '../../../shared/actuator/none.ts';
import type { Advance } from '../../../shared/announcement.ts';
import { CouldNotLook } from '../../../shared/kubernetes/port.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/memory.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { watchedApi } from '../../shared/runtime/watches.ts';

const command: Advance = {
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'm-1', uid: 'uid-1' },
  phase: 'drain',
  seq: 3,
};

const unavailable = (): never => {
  throw new CouldNotLook('503 not now');
};

test('a wake-up that could not look is left to the broker, which tries again sooner than the next look', async () => {
  const clock = manualClock();
  const sent: OutEvent[] = [];
  const { api } = watchedApi();
  const { environment } = createInstance({
    management: { ...api, get: unavailable },
    workloads: { of: unavailable },
    actuator: noActuator,
    store: createMemoryStore(clock),
    clock,
    random: () => 0,
    log: silent,
    config: readConfig({}),
    outbox: { send: async (event) => void sent.push(event), tell: () => undefined },
    name: 'test',
  });
  environment.wakeUps.keep(command, [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  expect(sent).toMatchObject([
    { type: 'dev.phaseout.deletion.advance.v1', phase: 'drain', data: { seq: 3, machine: { uid: 'uid-1' } } },
  ]);
});
