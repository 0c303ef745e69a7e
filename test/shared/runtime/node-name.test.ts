import { expect, test } from 'vitest';
import { CouldNotLook } from '../../../shared/kubernetes/port.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { arrive } from '../../../shared/runtime/arrive.ts';
import { aCommand, atCheckpoint, aWorld } from '../../builders/world.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../dialects/capi/machines.ts';

const limits = { nodeDrainTimeoutSeconds: 9, nodeVolumeDetachTimeoutSeconds: 9 };

/** A Machine without a nodeRef stands there, so many seconds after, and nobody can list the Nodes. */
async function arrivalAt(checkpoint: Partial<Checkpoint>, seconds = 10) {
  const saved = aCheckpoint(checkpoint);
  const world = aWorld(
    aRawMachine({
      annotations: atCheckpoint(saved),
      spec: { deletion: limits },
      status: { nodeRef: undefined },
    }),
  );
  world.time.now = after(seconds);
  world.workload.on('list nodes', () => {
    throw new CouldNotLook('no answer');
  });
  const { kind } = await arrive(world.env, saved.phase, aCommand({ phase: saved.phase }), false);
  return kind;
}

test.each<[what: string, checkpoint: Partial<Checkpoint>, kind: string]>([
  ['hooks before the drain', { phase: 'pre-drain' }, 'blind'],
  ['a drain', { since: timeAfter(2) }, 'blind'],
  ['a drain whose time is over', { since: timeAfter(1) }, 'here'],
  ['volumes', { phase: 'volume-detach', since: timeAfter(2) }, 'blind'],
  ['volumes whose time is over', { phase: 'volume-detach', since: timeAfter(1) }, 'here'],
  ['a Node that is deleted at the end', { phase: 'node' }, 'here'],
])(
  'what is not known of a Node that cannot be looked for holds up %s: %s',
  async (_what, checkpoint, kind) => {
    expect(await arrivalAt(checkpoint)).toBe(kind);
  },
);

test('no time limit is over earlier because a clock that was hours behind has stamped its start', async () => {
  const since = timeAfter(-7_200);
  expect(await arrivalAt({ since }, 8)).toBe('blind');
  expect(await arrivalAt({ since }, 9)).toBe('here');
});
