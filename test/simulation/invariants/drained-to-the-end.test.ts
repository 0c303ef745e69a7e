import { save } from './asked.ts';
import { testsOf } from './cases.ts';
import { drainedToTheEnd } from './drained-to-the-end.ts';
import type { Stage } from './stage.ts';

const invariant = drainedToTheEnd;

interface How {
  drain?: string;
  volumes?: string;
  labels?: Record<string, string>;
}

/** A Pod is on its way out on a silent Node. By the given clock its time is over or not. */
async function goes(stage: Stage, ahead: number): Promise<void> {
  const blue = stage.world.cluster('blue');
  const conditions = [{ type: 'Ready', status: 'Unknown' }];
  blue.patch('nodes', { metadata: { name: 'node-1' } }, { status: { conditions } }, 'status');
  save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'done' } });
  blue.remove('pods', stage.pod('going', { metadata: { finalizers: ['a/b'] } }), { gracePeriodSeconds: 40 });
  await stage.pass(15_000);
  stage.world.begin();
  const [instance] = stage.world.instances();
  instance?.strand.skew(ahead);
  stage.look(instance?.name);
  const passed = { drain: 'done', 'volume-detach': 'done' };
  save(stage, { seq: 2, phase: 'infrastructure', passed }, instance?.name);
}

/** After a drain that was passed so, volumes are waited for, and a Pod comes meanwhile. */
async function comes(stage: Stage, seconds: number, how: How = {}): Promise<void> {
  const { drain = 'done', volumes = 'done', labels = {} } = how;
  const passed = { drain };
  save(stage, { seq: 1, phase: 'volume-detach', passed });
  await stage.pass(seconds * 1_000);
  stage.pod('late', { metadata: { labels } });
  await stage.pass(2_000);
  stage.look();
  save(stage, { seq: 2, phase: 'infrastructure', passed: { ...passed, 'volume-detach': volumes } });
}

testsOf([
  {
    about: 'a Pod that must go has come',
    invariant,
    act: (stage) => comes(stage, 30),
    cries:
      'instance-1 writes the checkpoint of Machine fleet/m1: these Pods are on the Node again: shop/late',
  },
  ...['timed-out', 'excluded'].map((volumes) => ({
    about: `a Pod that must go has come, and volumes are passed over as ${volumes}`,
    invariant,
    act: (stage: Stage) => comes(stage, 30, { volumes }),
    cries:
      'instance-1 writes the checkpoint of Machine fleet/m1: these Pods are on the Node again: shop/late',
  })),
  {
    about: 'nothing is to be done to the Node any more',
    invariant,
    act: (stage) => comes(stage, 30, { volumes: 'not-applicable' }),
  },
  {
    about: 'a Pod that stays has come',
    invariant,
    act: (stage) => comes(stage, 30, { labels: { 'cluster.x-k8s.io/drain': 'skip' } }),
  },
  {
    about: "the Node is another server's by now, and volumes are passed over as excluded",
    invariant,
    before(stage) {
      stage.patchMachine({ spec: { providerID: 'x://1' } });
      const node = { metadata: { name: 'node-1' } };
      stage.world.cluster('blue').patch('nodes', node, { spec: { providerID: 'x://2' } });
    },
    act: (stage) => comes(stage, 30, { volumes: 'excluded' }),
  },
  { about: 'the drain was a moment ago', invariant, act: (stage) => comes(stage, 3) },
  {
    about: 'the Machine is excluded from drains by now',
    invariant,
    before(stage) {
      stage.patchMachine({
        metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } },
      });
    },
    act: (stage) => comes(stage, 30),
  },
  {
    about: 'the time of a Pod that is on its way is over by a clock that is ahead',
    invariant,
    act: (stage) => goes(stage, 40_000),
  },
  {
    about: 'the time of a Pod that is on its way is not over by a clock that is ahead',
    invariant,
    act: (stage) => goes(stage, 20_000),
    cries:
      'instance-1 writes the checkpoint of Machine fleet/m1: these Pods are on the Node again: shop/going',
  },
  { about: 'the drain had timed out', invariant, act: (stage) => comes(stage, 30, { drain: 'timed-out' }) },
]);
