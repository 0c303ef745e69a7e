import { expect, test } from 'vitest';
import type { OutEvent } from '../../../events/types.ts';
import { createInstance } from '../../../infra/host/instance.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aCommand, atCheckpoint, aWorld, machinePath } from '../../builders/world.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { optionsOf } from './idle-instance.ts';

/** A step evicts a Pod, and so many writes of the status meet a conflict. */
async function toldAfter(conflicts: number): Promise<{ told: string[]; sent: string[] }> {
  const clock = manualClock();
  const checkpoint = aCheckpoint({ seq: 1, phase: 'drain' });
  const { management, workload } = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
  workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  management.on(
    `patch ${machinePath}/status`,
    () => ({ kind: 'conflict', message: 'the object has been modified' }),
    conflicts,
  );
  const told: OutEvent[] = [];
  const sent: OutEvent[] = [];
  const outbox = {
    send: async (event: OutEvent) => void sent.push(event),
    publish: (event: OutEvent) => void told.push(event),
  };
  const workloads = { of: async () => workload };
  const { environment } = createInstance(optionsOf({ clock, management, workloads, outbox }));
  environment.wakeUps.keep(aCommand(), [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  return { told: told.map(({ type }) => type), sent: sent.map(({ type }) => type) };
}

const evicted = 'dev.phaseout.pod.evicted.v1';

test('what a step has done is told at its end', async () => {
  expect(await toldAfter(0)).toEqual({ told: [evicted, 'dev.phaseout.deletion.blocked.v1'], sent: [] });
});

test('what a step has done is told also where it cannot be ended, and is left to the next one', async () => {
  expect(await toldAfter(5)).toEqual({ told: [evicted], sent: ['dev.phaseout.deletion.advance.v1'] });
});
