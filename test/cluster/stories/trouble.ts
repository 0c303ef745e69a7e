import { resources } from '../kinds.ts';
import { stopAnnotation } from '../play/kubelet.ts';
import type { Scene } from '../scene.ts';
import { pause } from '../until.ts';
import { drainRule, machines, makeCluster, makePod, makeWorker, podsGone, podsRun } from './objects.ts';
import { needsPolicies, type Story } from './story.ts';

export const killed: Story = {
  name: 'killed',
  text: 'every process of phaseout killed in mid-drain, twice',
  isAlone: true,
  async tell(scene) {
    await makeCluster(scene);
    await makeWorker(scene, 'worker-1');
    await scene.make(drainRule('later', 'second', { behavior: 'Drain', order: 5 }));
    const annotations = { [stopAnnotation]: '3000' };
    await makePod(scene, 'first', { on: 'worker-1', annotations });
    await makePod(scene, 'second', { on: 'worker-1', annotations });
    await podsRun(scene, 'first', 'second');
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilSeen('Pod first asked to go');
    await scene.phaseout.kill();
    await scene.untilSeen('Pod second asked to go');
    await scene.phaseout.kill();
    await scene.untilGone(machines, 'worker-1');
    await scene.untilSeen('Node worker-1 gone');
    scene.chronicle.inOrder(
      'Pod first gone',
      'Pod second asked to go',
      'Pod second gone',
      'server worker-1 gone',
    );
  },
};

/** The right to delete servers is taken away: nothing goes, nothing is passed over, and it goes on by itself. */
export const permission: Story = {
  name: 'permission',
  text: 'a permission that is taken away in mid-drain and given back',
  isAlone: true,
  async tell(scene) {
    await makeCluster(scene);
    await makeWorker(scene, 'worker-1');
    await makePod(scene, 'slow', { on: 'worker-1', annotations: { [stopAnnotation]: '2000' } });
    await podsRun(scene, 'slow');
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilSeen('Pod slow asked to go');
    const giveBack = await withoutServers(scene);
    try {
      await podsGone(scene, 'slow');
      await pause(5_000, scene.site.clock, scene.site.interrupted);
      const server = await scene.get(resources.infrastructure, 'worker-1');
      if (server === undefined || server.metadata.deletionTimestamp !== undefined)
        throw new Error('the server was deleted');
      if ((await scene.get(machines, 'worker-1')) === undefined) throw new Error('the Machine is gone');
    } finally {
      await giveBack();
    }
    await scene.untilGone(machines, 'worker-1');
  },
};

const isOfServers = (rule: object): boolean =>
  JSON.stringify(rule).includes('infrastructure.cluster.x-k8s.io');

/** Takes from the rendered role what is said of servers and bootstrap configs. Returns the way back. */
async function withoutServers(scene: Scene): Promise<() => Promise<void>> {
  const roles = scene.installation.rendered.filter(
    ({ kind, metadata }) => /^(Cluster)?Role$/.test(kind ?? '') && metadata.name.endsWith('-management-capi'),
  );
  const rulesOf = (role: (typeof roles)[number]): object[] => {
    const rules: unknown = role['rules'];
    return Array.isArray(rules) ? rules : [];
  };
  const set = async (isLess: boolean): Promise<void> => {
    for (const role of roles) {
      const { name, namespace } = role.metadata;
      const resource = namespace === undefined ? resources.clusterRoles : resources.roles;
      const rules = rulesOf(role).filter((rule) => !isLess || !isOfServers(rule));
      await scene.patch(resource, namespace === undefined ? { name } : { namespace, name }, { rules });
    }
  };
  if (!roles.some((role) => rulesOf(role).some(isOfServers))) throw new Error('no role speaks of servers');
  await set(true);
  return () => set(false);
}

const refusals: readonly (readonly [name: string, drain: object, says: RegExp])[] = [
  ['order-of-skipped', { behavior: 'Skip', order: 1 }, /order must not be set if drain behavior is "Skip"/],
  [
    'order-of-waited-for',
    { behavior: 'WaitCompleted', order: 1 },
    /order must not be set if drain behavior is/,
  ],
];

/** What Cluster API refuses by a webhook is refused here without one. */
export const refusedRule: Story = {
  name: 'refused-rule',
  text: 'MachineDrainRules that no drain could follow are refused by the schema and the policy',
  notHere: needsPolicies,
  async tell(scene) {
    for (const [name, drain, says] of refusals) await refused(scene, drainRule(name, 'web', drain), says);
    await refused(scene, drainRule('unknown', 'web', { behavior: 'Dance' }), /Unsupported value: "Dance"/);
    const invalid = drainRule('no-operator', 'web', { behavior: 'Drain' });
    const matchExpressions = [{ key: 'app', operator: 'Resembles', values: ['web'] }];
    const spec = { drain: { behavior: 'Drain' }, pods: [{ selector: { matchExpressions } }] };
    await refused(scene, { ...invalid, spec }, /"Resembles" is not a valid label selector operator/);
    await scene.make(drainRule('sound', 'web', { behavior: 'Drain', order: 1 }));
  },
};

async function refused(scene: Scene, object: Parameters<Scene['make']>[0], says: RegExp): Promise<void> {
  const said = await scene.make(object).then(
    () => 'nothing: it was made',
    (error: unknown) => String(error),
  );
  if (!says.test(said))
    throw new Error(
      `${object.metadata.name} was to be refused with ${says}, and the API server said ${said}`,
    );
}
