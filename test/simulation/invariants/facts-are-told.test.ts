import { expect, test } from 'vitest';
import { evict, save, takeFinalizer } from './asked.ts';
import { nowIn, tellTurns } from './asked-functions.ts';
import { factsAreTold } from './facts-are-told.ts';
import { exchangeOf, openStage, type Stage } from './stage.ts';

const begin = (stage: Stage): void => save(stage, { seq: 0, phase: 'drain' });

function advance(stage: Stage): void {
  begin(stage);
  tell(stage, 'deletion.started');
  save(stage, { seq: 1, phase: 'infrastructure', passed: { drain: 'done' } });
}

const evictPod = (stage: Stage): void => stage.ask(evict(stage.pod('a')));

function refusePod(stage: Stage, causes: object[] = [{ reason: 'DisruptionBudget' }]): void {
  const exchange = exchangeOf(evict(stage.pod('a')));
  stage.observer.before?.(exchange);
  stage.observer.after?.(exchange, { code: 429, body: { details: { causes } } });
}

function tell(stage: Stage, kind: string, data: object = {}): void {
  const { uid } = stage.machine().metadata;
  stage.tell(`dev.phaseout.${kind}.v1`, kind, { machine: { uid }, ...data });
}

const inShop = { host: 'blue', namespace: 'shop' };

function deletePod(stage: Stage): void {
  const { name, uid } = stage.pod('a').metadata;
  stage.ask({ ...inShop, verb: 'delete', resource: 'pods', name, body: { preconditions: { uid } } });
}

function restart(stage: Stage): void {
  const annotations = { 'phaseout.dev/restarted-for': stage.machine().metadata.uid };
  const body = { metadata: { annotations } };
  stage.ask({ ...inShop, verb: 'patch', resource: 'deployments.apps', name: 'web', body });
}

const podUid = ({ world }: Stage): string | undefined =>
  world.cluster('blue').get('pods', 'shop', 'a')?.metadata.uid;

/** What is cried of it after two minutes. */
async function criesAfter(
  act: (stage: Stage) => void,
  then: (stage: Stage) => void = () => undefined,
): Promise<string[]> {
  const stage = await openStage(factsAreTold);
  act(stage);
  then(stage);
  await stage.pass(121_000);
  stage.tell('dev.knative.sources.ping', 'tick', {});
  return stage.cries;
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
    'instance-1 writes the checkpoint of Machine fleet/m1: no deletion.started tells of it',
    (stage) => tell(stage, 'deletion.started'),
  ],
  [
    'that a phase was passed',
    advance,
    'instance-1 writes the checkpoint of Machine fleet/m1: no deletion.advanced 1 tells of it',
    (stage) => tell(stage, 'deletion.advanced', { seq: 1 }),
  ],
  [
    'that a Pod was evicted',
    evictPod,
    'instance-1 evicts Pod shop/a in blue: no pod.evicted tells of it',
    (stage) => tell(stage, 'pod.evicted', { pod: { uid: podUid(stage) } }),
  ],
  [
    'that a budget has refused an eviction',
    refusePod,
    'instance-1 evicts Pod shop/a in blue: no pod.refused tells of it',
    (stage) => tell(stage, 'pod.refused', { pod: { uid: podUid(stage) } }),
  ],
  [
    'that a Pod was deleted past its budget',
    deletePod,
    'instance-1 deletes Pod shop/a in blue: no pod.unblocked tells of it',
    (stage) => tell(stage, 'pod.unblocked', { pod: { uid: podUid(stage) } }),
  ],
  [
    'that a Deployment was restarted',
    restart,
    'instance-1 restarts Deployment shop/web in blue: no pod.unblocked tells of it',
    (stage) => tell(stage, 'pod.unblocked', { pod: { uid: 'p1' }, deployment: 'web' }),
  ],
  [
    'that the turn of a function has ended',
    (stage) => {
      tellTurns(stage, [{ name: 'move-data', begin: nowIn(stage) }]);
      tellTurns(stage, [{ name: 'move-data', begin: nowIn(stage), end: 'Done' }]);
    },
    'instance-1 writes whom to ask about Machine fleet/m1: no hook.ended tells of it',
    (stage) => tell(stage, 'hook.ended', { hook: 'fleet/move-data' }),
  ],
  [
    'that a Machine was let go',
    (stage) => stage.ask(takeFinalizer(stage)),
    'instance-1 takes the finalizer off Machine fleet/m1: no deletion.completed tells of it',
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
  expect(cries).toEqual([
    'instance-1 writes the checkpoint of Machine fleet/m1: no deletion.advanced 1 tells of it',
  ]);
});

test('what was done right before everybody gave in, and instances on Machines ended, may be untold', async () => {
  expect(await criesAfter(begin, ({ observer }) => observer.stoodStill?.())).toEqual([]);
});
