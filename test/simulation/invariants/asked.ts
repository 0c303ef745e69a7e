import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Exchange } from '../wire/exchange.ts';
import { machines } from './built-stage.ts';
import { checkpointKey } from './sight/machine.ts';
import type { Stage } from './stage.ts';

type Asked = Partial<Exchange>;

/** What instances ask, as their adapters write it. */
export const evict = (
  pod: KubeObject,
  uid: string | undefined = pod.metadata.uid,
  grace?: number,
): Asked => ({
  host: 'blue',
  verb: 'create',
  resource: 'pods/eviction',
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.name,
  body: {
    deleteOptions: {
      ...(uid !== undefined && { preconditions: { uid } }),
      ...(grace !== undefined && { gracePeriodSeconds: grace }),
    },
  },
});

export const nodeOf = ({ world }: Stage, name = 'node-1'): KubeObject => {
  const node = world.cluster('blue').get('nodes', undefined, name);
  if (node === undefined) throw new Error(`${name} is gone`);
  return node;
};

export const cordon = (node: KubeObject): Asked => ({
  host: 'blue',
  verb: 'patch',
  resource: 'nodes',
  name: node.metadata.name,
  body: { metadata: { uid: node.metadata.uid }, spec: { unschedulable: true } },
});

export const removeNode = (node: KubeObject, uid = node.metadata.uid): Asked => ({
  host: 'blue',
  verb: 'delete',
  resource: 'nodes',
  name: node.metadata.name,
  body: { preconditions: { uid } },
});

const infrastructure = 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io';

export const removeInfrastructure = ({ world }: Stage): Asked => ({
  verb: 'delete',
  resource: infrastructure,
  namespace: 'fleet',
  name: 'm1',
  body: { preconditions: { uid: world.management.get(infrastructure, 'fleet', 'm1')?.metadata.uid } },
});

export interface Written {
  seq?: number;
  phase?: string;
  since?: string;
  reached?: string;
  passed?: Record<string, string>;
  node?: string;
  released?: string;
}

/** Passed phases by how they were. */
export function checkpoint(stage: Stage, { passed = {}, ...rest }: Written): string {
  const since = new Date(stage.world.now()).toISOString();
  const all = Object.entries(passed).map(([phase, as]) => [phase, { as, since }]);
  const { uid } = stage.machine().metadata;
  return JSON.stringify({
    v: 1,
    uid,
    seq: 0,
    phase: 'drain',
    since,
    ...rest,
    passed: Object.fromEntries(all),
  });
}

export function writeCheckpoint(stage: Stage, text: string, metadata: object = {}): Asked {
  const { uid, resourceVersion } = stage.machine().metadata;
  const annotations = { [checkpointKey]: text };
  return {
    verb: 'patch',
    resource: machines,
    namespace: 'fleet',
    name: 'm1',
    body: { metadata: { uid, resourceVersion, annotations, ...metadata } },
  };
}

/** An instance writes it, and the server takes it. */
export function save(stage: Stage, written: Written, instance = 'instance-1'): void {
  const asked = writeCheckpoint(stage, checkpoint(stage, written));
  stage.ask({ instance, ...asked }, () => stage.patchMachine(asked.body ?? {}));
}

export function takeFinalizer(stage: Stage, finalizer = 'machine.cluster.x-k8s.io', index = 1): Asked {
  const path = `/metadata/finalizers/${index}`;
  return {
    verb: 'patch',
    resource: machines,
    namespace: 'fleet',
    name: 'm1',
    body: [
      { op: 'test', path: '/metadata/uid', value: stage.machine().metadata.uid },
      { op: 'test', path, value: finalizer },
      { op: 'remove', path },
    ],
  };
}
