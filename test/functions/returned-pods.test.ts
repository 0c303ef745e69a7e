import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { runPhase } from '../../shared/runtime/run-phase.ts';
import { aCommand, atCheckpoint, aWorld } from '../builders/world.ts';
import { aCheckpoint, aRawMachine, after, timeAfter } from '../shared/dialects/capi/machines.ts';
import { pod, record } from '../shared/drain/build.ts';

test.each([5, 60, 3_000])(
  'a Pod that came back to the cordoned Node is left to the unhurried look, %s seconds after its predecessor',
  async (seconds) => {
    const checkpoint = aCheckpoint({ seq: 1, phase: 'drain' });
    const machine = aRawMachine({ annotations: atCheckpoint(checkpoint) });
    const world = aWorld(machine);
    world.time.now = after(10 + seconds);
    const predecessor = { podUid: 'first', outcome: 'accepted', lastAttempt: after(10) } as const;
    world.env.memory.rememberPods(machine.metadata.uid ?? '', [record('ns/agent', predecessor)]);
    const back = pod('ns/agent');
    back.metadata.creationTimestamp = timeAfter(12);
    world.workload.put('pods', { ...back, spec: { nodeName: 'node-1' } });
    await runPhase(world.env, phaseFunctions.drain, aCommand());
    expect(world.log).toContain('record 1 evictions');
    expect(world.kept.map(({ until }) => until.map(({ kind }) => kind))).toEqual([['time']]);
  },
);
