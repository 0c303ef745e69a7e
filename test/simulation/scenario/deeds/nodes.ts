import { at, listOf, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import type { Fault } from '../../faults/fault.ts';
import { isGoing } from '../blockers/case.ts';
import { isUnreachable } from '../blockers/node.ts';
import { createWithStatus } from '../build/create.ts';
import { setReady } from '../build/power.ts';
import { aNodeOf, anew, deed, later, nameOf } from './deed.ts';

/** What happens to Nodes beside phaseout. */
export const nodeDeeds: readonly Fault[] = [
  deed({
    name: 'node-unreachable',
    about: 'Nodes turn unreachable, and most of them return.',
    who: 'the network',
    run(setting) {
      const { world, random } = setting;
      const found = aNodeOf(setting);
      if (found === undefined || isUnreachable(found.node)) return undefined;
      const { host } = found.plan;
      const { name, uid } = found.node.metadata;
      setReady(world, host, name, 'Unknown');
      if (random.chance(0.8))
        later(setting, random.between(1_000, 60_000), () => {
          const node = world.cluster(host).get('nodes', undefined, name);
          if (node?.metadata.uid !== uid) return;
          setReady(world, host, name, 'True');
          world.say('the network', `reaches the Node ${name} of ${host} again`);
        });
      return `loses the Node ${name} of ${host}`;
    },
  }),
  deed({
    name: 'node-uncordoned',
    about: 'Somebody uncordons the Node by hand.',
    run(setting) {
      const found = aNodeOf(setting);
      if (found === undefined || at(found.node, 'spec', 'unschedulable') !== true) return undefined;
      setting.world.cluster(found.plan.host).patch('nodes', found.node, { spec: { unschedulable: null } });
      return `uncordons the Node ${nameOf(found.node)} of ${found.plan.host}`;
    },
  }),
  deed({
    name: 'node-cordoned',
    about: 'Somebody cordons a Node by hand.',
    run(setting) {
      const found = aNodeOf(setting);
      if (found === undefined || at(found.node, 'spec', 'unschedulable') === true) return undefined;
      setting.world.cluster(found.plan.host).patch('nodes', found.node, { spec: { unschedulable: true } });
      return `cordons the Node ${nameOf(found.node)} of ${found.plan.host}`;
    },
  }),
  deed({
    name: 'node-held',
    about: 'The Node has a finalizer of somebody else.',
    who: 'a controller',
    run(setting) {
      const found = aNodeOf(setting);
      if (found === undefined || isGoing(found.node)) return undefined;
      const metadata = { finalizers: ['nodes.example/inventory'] };
      setting.world.cluster(found.plan.host).patch('nodes', found.node, { metadata });
      return `puts its finalizer on the Node ${nameOf(found.node)} of ${found.plan.host}`;
    },
  }),
  deed({
    name: 'node-deleted',
    about: 'Somebody deletes the Node by hand.',
    most: 1,
    run(setting) {
      const found = aNodeOf(setting);
      if (found === undefined) return undefined;
      setting.world.cluster(found.plan.host).remove('nodes', found.node);
      return `deletes the Node ${nameOf(found.node)} of ${found.plan.host}`;
    },
  }),
  deed({
    name: 'node-recreated',
    about: 'The Node is deleted and registers again under the same name, some as that of another server.',
    who: 'a kubelet',
    most: 3,
    run(setting) {
      const found = aNodeOf(setting);
      if (found === undefined || listOf(found.node.metadata.finalizers).length > 0) return undefined;
      const cluster = setting.world.cluster(found.plan.host);
      cluster.remove('nodes', found.node);
      const { unschedulable: _cordon, taints: _taints, ...spec } = { ...specOf(found.node) };
      const isOther = setting.random.chance(0.5);
      const server = isOther ? { providerID: `${textAt(spec, 'providerID')}-other` } : {};
      createWithStatus(cluster, 'nodes', { ...anew(found.node), spec: { ...spec, ...server } });
      const whose = isOther ? ', as that of another server' : '';
      return `registers the Node ${nameOf(found.node)} of ${found.plan.host} again${whose}, after somebody deleted it`;
    },
  }),
];

const specOf = (object: object): Record<string, unknown> => {
  const spec = at(object, 'spec');
  return typeof spec === 'object' && spec !== null ? { ...spec } : {};
};
