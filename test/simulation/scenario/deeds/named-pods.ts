import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Fault } from '../../faults/fault.ts';
import { anew, aPodOf, type DeedSetting, deed, nameOf, type OnePod, takesNew } from './deed.ts';

/**
 * Like a controller that names its Pods and tolerates cordons. What is known of the earlier Pod does not hold for the
 * new one.
 */
export const podComesBackByName: Fault = deed({
  name: 'pod-comes-back-by-name',
  about:
    'A Pod that is gone is made again once under the same name, on the same Node, as one of a StatefulSet.',
  who: 'a controller',
  run(setting) {
    const found = aPodOf(setting, ({ metadata }) => (metadata.finalizers ?? []).length === 0);
    if (found === undefined) return undefined;
    const { plan, pod } = found;
    const stop = setting.world.cluster(plan.host).watch('pods', ({ type, object }) => {
      if (type !== 'DELETED' || object.metadata.uid !== pod.metadata.uid) return;
      stop();
      setting.world.scheduler.after(setting.random.between(0, 500), () => makeAgain(setting, found, object));
    });
    return `sees to it that there is a Pod ${nameOf(pod)} of ${plan.host}`;
  },
});

function makeAgain(setting: DeedSetting, { plan: { host }, node }: OnePod, pod: KubeObject): void {
  const { world, until } = setting;
  const cluster = world.cluster(host);
  const { namespace = '', name } = pod.metadata;
  const isFree = cluster.get('pods', namespace, name) === undefined && takesNew(setting, host, namespace);
  if (world.now() >= until || !isFree || cluster.get('nodes', undefined, node.metadata.name) === undefined)
    return;
  cluster.create('pods', anew(pod));
  world.say('a controller', `makes the Pod ${nameOf(pod)} of ${host} again`);
  world.hit('pod-comes-back-by-name');
}
