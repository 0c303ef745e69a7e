import { expect, test } from 'vitest';
import { observePods } from '../../../shared/observe/pods.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { pod } from '../../builders/pods.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const rule = (pods: object[]) => ({
  metadata: { namespace: 'default', name: 'r' },
  spec: { drain: { behavior: 'Skip' }, pods },
});
const ofTeam = { namespaceSelector: { matchLabels: { team: 'a' } } };
const namespaceOf = (team: string) => ({ metadata: { name: 'ns', labels: { team } } });

/** What a look makes of the Pod, the instance having looked before the change and so many milliseconds after. */
async function behaviorAfter(world: World, change: () => unknown, milliseconds: number): Promise<unknown> {
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  const subject = aSubject();
  const look = async () => {
    const context = { nodeName: 'node-1', unreachable: false, now: world.env.clock.now() };
    const { judgement } = await observePods(openSnapshot(world.env, subject), subject, context);
    return judgement.kind === 'judged' ? judgement.verdicts[0]?.behavior : judgement;
  };
  await look();
  change();
  world.time.now += milliseconds;
  return look();
}

// Rules have no watch. An older read would evict a Pod that a new rule spares.
test.each([
  [10_000, 'Drain'],
  [10_001, 'Skip'],
])(
  'a rule that is made takes effect within ten seconds: %i ms later a Pod is to %s',
  async (milliseconds, is) => {
    const world = aWorld();
    const change = () => world.management.put('machinedrainrules', rule([{}]));
    expect(await behaviorAfter(world, change, milliseconds)).toBe(is);
  },
);

test.each([
  [10_000, 'Skip'],
  [10_001, 'Drain'],
])('so do the labels of a Namespace: %i ms later a Pod is to %s', async (milliseconds, is) => {
  const world = aWorld();
  world.management.put('machinedrainrules', rule([ofTeam]));
  world.workload.put('namespaces', namespaceOf('a'));
  const change = () => world.workload.put('namespaces', namespaceOf('b'));
  expect(await behaviorAfter(world, change, milliseconds)).toBe(is);
});

test('rules are listed in the version that is served', async () => {
  const world = aWorld();
  const { management } = world;
  const asked: string[] = [];
  const list = management.list.bind(management);
  management.list = (resource, ...rest) => {
    asked.push(`${resource.plural}.${resource.group}/${resource.version}`);
    return list(resource, ...rest);
  };
  const served = { group: 'cluster.x-k8s.io', version: 'v1beta9', plural: 'machinedrainrules' };
  management.discover = () => Promise.resolve(served);
  await behaviorAfter(world, () => undefined, 0);
  expect(asked).toEqual(['machinedrainrules.cluster.x-k8s.io/v1beta9']);
});
