import { expect, test } from 'vitest';
import { evict, save, takeFinalizer } from './asked.ts';
import { factsAreTold } from './facts-are-told.ts';
import { openStage, type Stage } from './stage.ts';

const begin = (stage: Stage): void => save(stage, { seq: 0, phase: 'drain' });

function advance(stage: Stage): void {
  begin(stage);
  tell(stage, 'deletion.started');
  save(stage, { seq: 1, phase: 'infrastructure', passed: { drain: 'done' } });
}

const evictPod = (stage: Stage): void => stage.ask(evict(stage.pod('a')));

function tell(stage: Stage, kind: string, data: object = {}): void {
  const { uid } = stage.machine().metadata;
  stage.tell(`dev.phaseout.${kind}.v1`, kind, { machine: { uid }, ...data });
}

const podUid = ({ world }: Stage): string | undefined =>
  world.cluster('blue').get('pods', 'shop', 'a')?.metadata.uid;

/** What is cried of it after a minute; UIDs are said to be such. */
async function criesAfter(
  act: (stage: Stage) => void,
  then: (stage: Stage) => void = () => undefined,
): Promise<string[]> {
  const stage = await openStage(factsAreTold);
  act(stage);
  then(stage);
  await stage.pass(61_000);
  stage.tell('dev.knative.sources.ping', 'tick', {});
  return stage.cries.map((cry) => cry.replace(/[^ ]*$/, 'its UID'));
}

const deeds: readonly [
  what: string,
  act: (stage: Stage) => void,
  cry: string,
  fact: (stage: Stage) => void,
][] = [
  [
    'that a deletion has begun',
    begin,
    'nobody is told of deletion.started of its UID',
    (stage) => tell(stage, 'deletion.started'),
  ],
  [
    'that a phase was passed',
    advance,
    'nobody is told of deletion.advanced 1 of its UID',
    (stage) => tell(stage, 'deletion.advanced', { seq: 1 }),
  ],
  [
    'that a Pod was evicted',
    evictPod,
    'nobody is told of pod.evicted of its UID',
    (stage) => tell(stage, 'pod.evicted', { pod: { uid: podUid(stage) } }),
  ],
  [
    'that a Machine was let go',
    (stage) => stage.ask(takeFinalizer(stage)),
    'nobody is told of deletion.completed of its UID',
    (stage) => tell(stage, 'deletion.completed'),
  ],
];

test.each(deeds)(
  'it is missed when nobody is told %s, and not when somebody is',
  async (_what, act, cry, fact) => {
    expect(await criesAfter(act)).toEqual([cry]);
    expect(await criesAfter(act, fact)).toEqual([]);
  },
);

test.each<[string, (stage: Stage) => void, (stage: Stage) => void]>([
  [
    'where something went wrong on the way',
    begin,
    (stage) => stage.observer.hit?.('events-lost', [], undefined),
  ],
  [
    'of what the server has refused',
    (stage) => stage.ask(takeFinalizer(stage), undefined, 409),
    () => undefined,
  ],
])('nothing is missed %s', async (_where, act, then) => {
  expect(await criesAfter(act, then)).toEqual([]);
});

test('what is told of another phase does not make up for it', async () => {
  const cries = await criesAfter(advance, (stage) => tell(stage, 'deletion.advanced', { seq: 2 }));
  expect(cries).toEqual(['nobody is told of deletion.advanced 1 of its UID']);
});
