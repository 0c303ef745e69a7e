import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, aRawV1Beta1Machine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint, type World } from '../builders/world.ts';

// A pre-terminate hook was there when the drain ended. It went while the Machine was paused, or while another hook held
// it. No phase waited for it.

const done = (seconds: number) => ({ as: 'done', since: timeAfter(seconds) }) as const;
const passed = { drain: done(1), 'volume-detach': done(1) };
const back = { ...pod('ns/back'), spec: { nodeName: 'node-1' } };
const server = 'delete servers/default/m-1';

interface Given {
  checkpoint?: Partial<Checkpoint>;
  status?: Record<string, unknown>;
  raw?: typeof aRawMachine;
}

/** Ten seconds after the deletion. In eight of them no step ran. */
function held({ checkpoint, status = {}, raw = aRawMachine }: Given = {}): World {
  const at = aCheckpoint({ seq: 3, phase: 'pre-terminate', since: timeAfter(2), passed, ...checkpoint });
  return aWorld(raw({ annotations: atCheckpoint(at), status }));
}

const step = ({ env }: World, phase: Phase, seq: number) =>
  reconcilePhase(env, phaseFunctions[phase], aCommand({ phase, seq }));

/** Where it stands in the end, and whether its server goes. */
async function standsAfter(world: World): Promise<[phase: string, isServerGoing: boolean]> {
  const first = await step(world, 'pre-terminate', 3);
  const phase = first.next?.phase ?? 'pre-terminate';
  if (phase === 'infrastructure') await step(world, phase, 4);
  return [phase, world.log.includes(server)];
}

const comes = ({ workload }: World): void => void workload.put('pods', back);
const waiting = { type: 'PreTerminateDeleteHookSucceeded', status: 'False', reason: 'WaitingExternalHook' };

describe('where a hook went that nobody has waited for', () => {
  test.each<[what: string, given: Given, change: (world: World) => void, phase: string]>([
    ['nothing is there: it goes', {}, () => undefined, 'infrastructure'],
    ['a Pod that must go is drained', {}, comes, 'drain'],
    [
      'volumes that are attached again are waited for',
      {},
      ({ workload }) => void workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] })),
      'volume-detach',
    ],
    [
      'a Pod is left where the drain ended a moment ago',
      { checkpoint: { since: timeAfter(6) } },
      comes,
      'infrastructure',
    ],
    [
      'a Pod is left where hooks were waited for',
      { status: { deletion: { waitForPreTerminateHookStartTime: timeAfter(2) } } },
      comes,
      'infrastructure',
    ],
    [
      'a Pod is left where that was so in a release without a time for it',
      { raw: aRawV1Beta1Machine, status: { conditions: [waiting] } },
      comes,
      'infrastructure',
    ],
    [
      'what is on the Node now is unknown',
      {},
      ({ workload, time }) => {
        time.now = after(38);
        workload.on('list pods', () => {
          throw new Unavailable('no answer');
        });
      },
      'drain',
    ],
  ])('%s', async (_what, given, change, phase) => {
    const world = held(given);
    change(world);
    expect(await standsAfter(world)).toEqual([phase, phase === 'infrastructure']);
  });

  test('a Pod is drained that comes when the server is to be deleted, long after that', async () => {
    const world = held();
    await step(world, 'pre-terminate', 3);
    comes(world);
    world.time.now = after(20);
    expect((await step(world, 'infrastructure', 4)).next?.phase).toBe('drain');
    expect(world.log).not.toContain(server);
  });

  test('the drain goes on from its own start', async () => {
    const world = held();
    comes(world);
    await step(world, 'pre-terminate', 3);
    expect(savedCheckpoint(world)).toMatchObject({ seq: 4, phase: 'drain', since: timeAfter(1) });
  });

  test('an infrastructure object that cannot be read is neither there nor gone', async () => {
    const world = held();
    world.management.on('get servers/default/m-1', () => {
      throw new Unavailable('no answer');
    });
    expect((await step(world, 'pre-terminate', 3)).next).toBeUndefined();
  });
});
