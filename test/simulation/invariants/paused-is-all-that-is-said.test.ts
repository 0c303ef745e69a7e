import { expect, test } from 'vitest';
import { machines } from './built-stage.ts';
import { pausedIsAllThatIsSaid } from './paused-is-all-that-is-said.ts';
import { openStage } from './stage.ts';

const condition = (type: string, status: string, message = '') => ({
  type,
  status,
  message,
  reason: type,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const paused = condition('Paused', 'True');
const at = 'instance-1 writes the status of Machine fleet/m1: it is paused, and';

interface Given {
  before?: object[];
  isPaused?: boolean;
  status: object;
}

async function criesFor({ before = [paused], isPaused = true, status }: Given): Promise<string[]> {
  const stage = await openStage(pausedIsAllThatIsSaid);
  if (isPaused) stage.patchMachine({ metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
  stage.world.management.patch(machines, stage.machine(), { status: { conditions: before } }, 'status');
  await stage.pass(10);
  stage.look();
  const { uid } = stage.machine().metadata;
  const about = { resource: `${machines}/status`, namespace: 'fleet', name: 'm1' };
  stage.ask({ ...about, verb: 'patch', body: { metadata: { uid }, status } });
  return stage.cries;
}

test.each<[string, Given, string[]]>([
  [
    'that it is not paused',
    { status: { conditions: [condition('Paused', 'False')] } },
    [`${at} is said to be Paused=False`],
  ],
  [
    'what it waits for',
    { status: { conditions: [paused, condition('Deleting', 'True')] } },
    [`${at} is said to be Deleting=True`],
  ],
  ['when its drain began', { status: { deletion: {} } }, [`${at} its deletion is written`]],
  ['another reason of the pause', { status: { conditions: [condition('Paused', 'True', 'twice')] } }, []],
  [
    'what was said before',
    {
      before: [paused, condition('Deleting', 'True')],
      status: { conditions: [paused, condition('Deleting', 'True')] },
    },
    [],
  ],
  ['of one that goes on', { isPaused: false, status: { conditions: [condition('Deleting', 'True')] } }, []],
  ['of one that nobody said to be paused', { before: [], status: { phase: 'Deleting' } }, []],
])('a paused Machine is said to be paused, and not %s', async (_what, given, cries) => {
  expect(await criesFor(given)).toEqual(cries);
});
