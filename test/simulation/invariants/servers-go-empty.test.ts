import { removeInfrastructure, save } from './asked.ts';
import { machines } from './built-stage.ts';
import { testsOf } from './cases.ts';
import { serversGoEmpty } from './servers-go-empty.ts';
import type { Stage } from './stage.ts';

const invariant = serversGoEmpty;
const passed = { drain: 'done', 'volume-detach': 'done' };
const cries =
  'instance-1 deletes the infrastructure fleet/m1 (genericinfrastructuremachines.infrastructure.cluster.x-k8s.io): these Pods are on its Node: shop/late';

interface Course {
  /** From the end of the wait for volumes to the Pod, and from there to the end of the server. */
  seconds?: [number, number];
  passed?: Record<string, string>;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** So many seconds the clock is ahead of who has ended the wait for volumes. */
  ahead?: number;
  /** False where no status says when the drain began. */
  isTold?: boolean;
  /** The Machine does not name the Node any more, which has this providerID. */
  forgotten?: string;
}

/** A Pod comes to the Node, and the server goes. */
async function goes(
  stage: Stage,
  { seconds: [before, after] = [20, 20], ...course }: Course = {},
): Promise<void> {
  const deletion = { nodeDrainStartTime: new Date(stage.world.now()).toISOString() };
  if (course.isTold !== false)
    stage.world.management.patch(machines, stage.machine(), { status: { deletion } }, 'status');
  const { forgotten } = course;
  const node = stage.world.cluster('blue').get('nodes', undefined, 'node-1');
  if (forgotten !== undefined) forget(stage, forgotten);
  const known = forgotten === undefined ? {} : { node: node?.metadata.uid ?? '' };
  const since = new Date(stage.world.now() + (course.ahead ?? 0) * 1_000).toISOString();
  save(stage, { seq: 1, phase: 'infrastructure', since, passed: course.passed ?? passed, ...known });
  stage.patchMachine({ metadata: { annotations: course.annotations ?? {} } });
  await stage.pass(before * 1_000);
  stage.pod('late', { metadata: { labels: course.labels ?? {} } });
  await stage.pass(after * 1_000);
  stage.look();
  stage.ask(removeInfrastructure(stage));
}

function forget(stage: Stage, providerID: string): void {
  const { management } = stage.world;
  stage.patchMachine({ spec: { providerID: 'x://own' } });
  stage.world.cluster('blue').patch('nodes', { metadata: { name: 'node-1' } }, { spec: { providerID } });
  management.patch(machines, stage.machine(), { status: { nodeRef: null } }, 'status');
}

testsOf([
  { about: 'a Pod that must go has come', invariant, act: (stage) => goes(stage), cries },
  {
    about: 'a Pod has come to a Node that its Machine does not name any more',
    invariant,
    act: (stage) => goes(stage, { forgotten: 'x://own' }),
    cries,
  },
  {
    about: 'a Pod has come to a Node that may be of another Machine',
    invariant,
    act: (stage) => goes(stage, { forgotten: 'x://other' }),
  },
  {
    about: 'a Pod that stays has come',
    invariant,
    act: (stage) => goes(stage, { labels: { 'cluster.x-k8s.io/drain': 'skip' } }),
  },
  { about: 'a Pod has just come', invariant, act: (stage) => goes(stage, { seconds: [20, 3] }) },
  { about: 'volumes were off a moment ago', invariant, act: (stage) => goes(stage, { seconds: [1, 3] }) },
  { about: 'the time of the drain is over', invariant, act: (stage) => goes(stage, { seconds: [40, 30] }) },
  {
    about: 'the time of the drain was over by a clock that is ahead',
    invariant,
    act: (stage) => goes(stage, { ahead: 70 }),
  },
  {
    about: 'a clock was ahead, and by it, too, the drain has time left',
    invariant,
    act: (stage) => goes(stage, { ahead: 50 }),
    cries,
  },
  {
    about: 'the time of the drain may be over, and no status says when it began',
    invariant,
    act: (stage) => goes(stage, { seconds: [40, 30], isTold: false }),
  },
  {
    about: 'the Machine is excluded from drains',
    invariant,
    act: (stage) => goes(stage, { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } }),
  },
  {
    about: 'pre-terminate hooks went that nobody had waited for',
    invariant,
    act: (stage) => goes(stage, { passed: { ...passed, 'pre-terminate': 'not-applicable' } }),
    cries,
  },
  {
    about: 'pre-terminate hooks were waited for',
    invariant,
    act: (stage) => goes(stage, { passed: { ...passed, 'pre-terminate': 'done' } }),
  },
]);
