import { expect, test } from 'vitest';
import { machines } from './built-stage.ts';
import { openStage } from './stage.ts';
import { timesAreTrue } from './times-are-true.ts';

const early = '2026-01-01T00:00:00Z';
/** A minute and a half later, when the status is written. */
const now = '2026-01-01T00:01:30Z';
const at = 'instance-1 writes the status of Machine fleet/m1: ';

const condition = (type: string, status: string, lastTransitionTime: string, reason = type) => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime,
});
const newer = (...conditions: object[]) => ({ conditions });
/** An older condition has a message or none, but no empty one. */
const older = (...conditions: object[]) => ({
  deprecated: { v1beta1: { conditions: conditions.map((said) => ({ ...said, message: 'why' })) } },
});
const starts = (deletion: object) => ({ deletion });

async function criesFor(before: object, status: object): Promise<string[]> {
  const stage = await openStage(timesAreTrue);
  const write = (written: object): void =>
    void stage.world.management.patch(machines, stage.machine(), { status: written }, 'status');
  write(before);
  await stage.pass(90_000);
  stage.look();
  const { uid } = stage.machine().metadata;
  const about = { resource: `${machines}/status`, namespace: 'fleet', name: 'm1' };
  stage.ask({ ...about, verb: 'patch', body: { metadata: { uid }, status } }, () => write(status));
  return stage.cries;
}

test.each<[string, object, object, string[]]>([
  [
    'keeps its time',
    newer(condition('Deleting', 'True', early)),
    newer(condition('Deleting', 'True', early)),
    [],
  ],
  [
    'keeps its time with another reason',
    newer(condition('Deleting', 'True', early)),
    newer(condition('Deleting', 'True', early, 'DrainingNode')),
    [],
  ],
  [
    'is said to be so since now, and was so before',
    newer(condition('Deleting', 'True', early)),
    newer(condition('Deleting', 'True', now)),
    [`${at}its condition Deleting says what it said at ${early}, and that since ${now}`],
  ],
  [
    'is so since now',
    newer(condition('Deleting', 'False', early)),
    newer(condition('Deleting', 'True', now)),
    [],
  ],
  [
    'is so since now, and says so since early',
    newer(condition('Deleting', 'False', early)),
    newer(condition('Deleting', 'True', early)),
    [`${at}its condition Deleting is new, and says so since ${early}`],
  ],
  [
    'of the older ones has another reason since now',
    older(condition('DrainingSucceeded', 'False', early)),
    older(condition('DrainingSucceeded', 'False', now, 'DrainingFailed')),
    [],
  ],
  [
    'of the older ones has another reason, and says so since early',
    older(condition('DrainingSucceeded', 'False', early)),
    older(condition('DrainingSucceeded', 'False', early, 'DrainingFailed')),
    [`${at}its condition DrainingSucceeded is new, and says so since ${early}`],
  ],
  [
    'is said anew, and was of an earlier Machine',
    older(condition('DrainingSucceeded', 'True', '2025-12-31T00:00:00Z')),
    older(condition('DrainingSucceeded', 'True', now)),
    [],
  ],
  ['is copied with its time', newer(), newer(condition('InfrastructureReady', 'False', early)), []],
])('a condition that %s', async (_what, before, status, cries) => {
  expect(await criesFor(before, status)).toEqual(cries);
});

test.each<[string, object, object, string[]]>([
  ['is written', {}, starts({ nodeDrainStartTime: now }), []],
  ['stays', starts({ nodeDrainStartTime: early }), starts({ nodeDrainStartTime: early }), []],
  [
    'moves',
    starts({ nodeDrainStartTime: early }),
    starts({ nodeDrainStartTime: now }),
    [`${at}its nodeDrainStartTime was ${early}, and is ${now} now`],
  ],
  [
    'moves, and was that of an earlier Machine',
    starts({ nodeDrainStartTime: '2025-12-31T00:00:00Z' }),
    starts({ nodeDrainStartTime: now }),
    [],
  ],
  [
    'goes, and was that of an earlier Machine',
    starts({ nodeDrainStartTime: '2025-12-31T00:00:00Z' }),
    starts({ nodeDrainStartTime: null }),
    [],
  ],
  [
    'is before the deletion',
    {},
    starts({ nodeDrainStartTime: '2025-12-31T00:00:00Z' }),
    [`${at}its nodeDrainStartTime of 2025-12-31T00:00:00Z is before its deletion was asked for`],
  ],
])('a start that %s', async (_what, before, status, cries) => {
  expect(await criesFor(before, status)).toEqual(cries);
});

test.each<[string, object, object, string[]]>([
  ['a phase and its time', {}, { phase: 'Deleting', lastUpdated: now }, []],
  [
    'a phase in the second of the last update',
    { phase: 'Running', lastUpdated: now },
    { phase: 'Deleting', lastUpdated: now },
    [],
  ],
  [
    'a phase without its time',
    { phase: 'Running', lastUpdated: early },
    { phase: 'Deleting', lastUpdated: early },
    [`${at}its phase is new, and it was updated at ${early}`],
  ],
  [
    'a time that is long past',
    { phase: 'Running' },
    { phase: 'Deleting', lastUpdated: early },
    [`${at}it was updated now, and says at ${early}`],
  ],
  ['a generation', { observedGeneration: 1 }, { observedGeneration: 2 }, []],
  [
    'a generation that there is not',
    { observedGeneration: 1 },
    { observedGeneration: 9 },
    [`${at}generation 9 of 2 is observed after 1`],
  ],
  ['a generation after one of an earlier Machine', { observedGeneration: 9 }, { observedGeneration: 2 }, []],
  [
    'a generation that is long past',
    { observedGeneration: 2 },
    { observedGeneration: 1 },
    [`${at}generation 1 of 2 is observed after 2`],
  ],
  [
    'a generation in a look that has failed',
    { observedGeneration: 1, ...newer(condition('Deleting', 'True', early)) },
    { observedGeneration: 2, ...newer(condition('Deleting', 'True', early, 'InternalError')) },
    [`${at}generation 2 is observed in a look that has failed`],
  ],
])('a status with %s', async (_what, before, status, cries) => {
  expect(await criesFor(before, status)).toEqual(cries);
});
