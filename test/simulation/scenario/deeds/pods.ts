import type { Fault } from '../../faults/fault.ts';
import { isGoing } from '../blockers/case.ts';
import { buildPod, buildSet } from '../build/workloads.ts';
import { aPod } from '../draw/draft.ts';
import { returningSet } from '../draw/pods.ts';
import { aNodeOf, anew, aPodOf, deed, nameOf, oneOf, takesNew } from './deed.ts';

const drainLabel = 'cluster.x-k8s.io/drain';
const labelChanges: readonly Record<string, string | null>[] = [
  { [drainLabel]: 'skip' },
  { [drainLabel]: null },
  { [drainLabel]: 'nonsense' },
  { tier: 'front' },
  { tier: 'back' },
  { role: 'monitor' },
];

/** What users and their controllers do with Pods. */
export const podDeeds: readonly Fault[] = [
  deed({
    name: 'pods-come-back',
    about: 'Pods that are evicted are made again on the very Node, which they tolerate cordoned or not.',
    most: 1,
    run(setting) {
      const { world } = setting;
      const where = aNodeOf(setting);
      if (where === undefined || !takesNew(setting, where.plan.host, 'shop')) return undefined;
      const set = returningSet({ host: where.plan.host, node: where.node.metadata.name });
      if (world.cluster(set.host).get('replicasets.apps', set.namespace, set.name) !== undefined)
        return undefined;
      buildSet(world, set);
      return `makes the ReplicaSet ${set.name}, whose Pods go to ${nameOf(where.node)} of ${set.host} whatever happens`;
    },
  }),
  deed({
    name: 'pods-never-stop',
    about: 'Pods that were asked to stop do not.',
    who: 'an application',
    run(setting) {
      const found = aPodOf(setting, () => true);
      if (found === undefined) return undefined;
      const annotations = { 'local.phaseout.dev/never-stops': 'true' };
      setting.world.cluster(found.plan.host).patch('pods', found.pod, { metadata: { annotations } });
      return `will not stop, whoever asks: Pod ${nameOf(found.pod)} of ${found.plan.host}`;
    },
  }),
  deed({
    name: 'pods-held',
    about: 'Pods have a finalizer of somebody else.',
    who: 'a controller',
    run(setting) {
      const found = aPodOf(setting, (pod) => !isGoing(pod));
      if (found === undefined) return undefined;
      const metadata = { finalizers: ['backup.example/copy'] };
      setting.world.cluster(found.plan.host).patch('pods', found.pod, { metadata });
      return `puts its finalizer on the Pod ${nameOf(found.pod)} of ${found.plan.host}`;
    },
  }),
  deed({
    name: 'pods-added',
    about: 'New Pods are put on the Node, past its cordon.',
    most: 3,
    run(setting) {
      const { world, random } = setting;
      const where = aNodeOf(setting);
      if (where === undefined || !takesNew(setting, where.plan.host, 'shop')) return undefined;
      const { host } = where.plan;
      const node = where.node.metadata.name;
      const name = `${node}-late-${random.between(1, 1_000_000)}`;
      buildPod(world, aPod({ host, node }, { name }));
      return `puts the Pod shop/${name} on ${node} of ${host}`;
    },
  }),
  deed({
    name: 'pods-deleted',
    about: 'Somebody deletes Pods of the Node by hand, politely or not.',
    run(setting) {
      const found = aPodOf(setting, (pod) => !isGoing(pod));
      if (found === undefined) return undefined;
      const options = setting.random.chance(0.5) ? { gracePeriodSeconds: 0 } : {};
      setting.world.cluster(found.plan.host).remove('pods', found.pod, options);
      return `deletes the Pod ${nameOf(found.pod)} of ${found.plan.host}`;
    },
  }),
  deed({
    name: 'daemonset-deleted',
    about: 'A DaemonSet is deleted, and its Pods are as any others until they go with it.',
    most: 1,
    run(setting) {
      const where = aNodeOf(setting);
      const cluster = where && setting.world.cluster(where.plan.host);
      const set = cluster && oneOf(setting.random, cluster.list('daemonsets.apps'));
      if (where === undefined || set === undefined) return undefined;
      cluster?.remove('daemonsets.apps', set);
      return `deletes the DaemonSet ${nameOf(set)} of ${where.plan.host}`;
    },
  }),
  deed({
    name: 'pod-recreated',
    about: 'A Pod is deleted and made again under the same name, on the same Node.',
    run(setting) {
      const found = aPodOf(setting, ({ metadata }) => (metadata.finalizers ?? []).length === 0);
      if (found === undefined) return undefined;
      const { plan, pod } = found;
      if (!takesNew(setting, plan.host, pod.metadata.namespace ?? '')) return undefined;
      const cluster = setting.world.cluster(plan.host);
      cluster.remove('pods', pod, { gracePeriodSeconds: 0 });
      cluster.create('pods', anew(pod));
      return `deletes the Pod ${nameOf(pod)} of ${plan.host} at once and makes it again`;
    },
  }),
  deed({
    name: 'pod-labels-changed',
    about: 'Labels of Pods change, and with them what a drain is to do.',
    most: 3,
    run(setting) {
      const found = aPodOf(setting, (pod) => !isGoing(pod));
      if (found === undefined) return undefined;
      const labels = setting.random.oneOf(labelChanges);
      setting.world.cluster(found.plan.host).patch('pods', found.pod, { metadata: { labels } });
      return `labels the Pod ${nameOf(found.pod)} of ${found.plan.host} ${JSON.stringify(labels)}`;
    },
  }),
];
