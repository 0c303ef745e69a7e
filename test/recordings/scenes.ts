import * as z from 'zod';
import type { KubeObject } from '../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import type { Fleet } from '../stories/stage/fleet.ts';
import { Recorded } from './recorded.ts';
import { conditions } from './state.ts';

/** A budget that never allows anything. */
export const selecting = (app: string) => ({ maxUnavailable: 0, selector: { matchLabels: { app } } });

/** A Pod that does not stop; those of one app belong to one ReplicaSet, whose budget can be reckoned. */
export function benchPod(stage: Fleet, name: string, labels: Record<string, string>): void {
  const { app } = labels;
  const owner = app === undefined ? {} : { owner: replicaSet(stage, app) };
  stage.pod(name, 'node-1', { namespace: 'bench', labels, neverStops: true, ...owner });
}

function replicaSet(stage: Fleet, app: string): { kind: string; name: string; uid: string } {
  const { cluster } = stage.server;
  const kind = 'ReplicaSet';
  const pods = cluster.list('pods').filter(({ metadata }) => metadata.labels?.['app'] === app);
  const known = cluster.get('replicasets.apps', 'bench', app);
  const spec = { replicas: pods.length + 1, selector: { matchLabels: { app } } };
  if (known !== undefined) {
    cluster.patch('replicasets.apps', known, { spec: { replicas: spec.replicas } }, '');
    return { kind, name: app, uid: known.metadata.uid ?? '' };
  }
  const containers = [{ name: 'c', image: 'registry.example/app:1' }];
  const template = { metadata: { labels: { app } }, spec: { containers } };
  const metadata = { name: app, namespace: 'bench' };
  const object = { apiVersion: 'apps/v1', kind, metadata, spec: { ...spec, template } };
  return { kind, name: app, uid: stage.create('replicasets.apps', object).metadata.uid ?? '' };
}

export function tenBehindABudget(stage: Fleet): void {
  stage.worker('worker-1');
  const names = ['78qks', 'bzvlm', 'd4l6z', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7'];
  for (const name of names) benchPod(stage, `g-pdb-yam8-${name}`, { app: 'x' });
  stage.budget('g-pdb-yam8', selecting('x'), 'bench');
}

const ruleSpec = z.looseObject({
  drain: z.object({ behavior: z.string(), order: z.int().optional() }),
});

/** The recorded rules; an order that means nothing, with which some were recorded, is refused today. */
export function mixed(stage: Fleet, recorded: Recorded): void {
  stage.worker('worker-1');
  for (const { metadata, spec } of recorded.of('MachineDrainRule')) {
    const { drain, ...fields } = ruleSpec.parse(spec);
    const { behavior } = drain;
    stage.rule(metadata.name, { ...fields, drain: behavior === 'Drain' ? drain : { behavior } });
  }
  benchPod(stage, 'g-mix-skipped', { wave: 'skip' });
}

export function unreachable(stage: Fleet, recorded: Recorded): void {
  const { annotations } = recorded.machine.metadata;
  const before = saidBefore(recorded, ['Available', 'NodeHealthy', 'NodeReady']);
  stage.worker('worker-1', { ...before, ...(annotations && { metadata: { annotations } }) });
  for (const name of ['p0', 'p1']) benchPod(stage, `g-unreach-yam8-${name}`, {});
  changeNode(stage, { status: recordAt(recorded.one('Node'), 'status') });
}

export function attach(stage: Fleet, object: KubeObject): void {
  const { name } = object.metadata;
  const resource =
    object.kind === 'PersistentVolume' ? 'persistentvolumes' : 'volumeattachments.storage.k8s.io';
  stage.create(resource, { ...object, metadata: { name } });
}

export function volumes(stage: Fleet, recorded: Recorded): void {
  stage.worker('worker-1');
  for (const object of [...recorded.of('PersistentVolume'), ...recorded.of('VolumeAttachment')])
    attach(stage, object);
  const { volumesAttached } = recordAt(recorded.one('Node'), 'status');
  changeNode(stage, { status: { volumesAttached } });
}

const changeNode = (stage: Fleet, patch: object): void =>
  void stage.server.cluster.patch('nodes', { metadata: { name: 'node-1' } }, patch, 'status');

const saidBy = (machine: KubeObject) => conditions.parse(recordAt(machine, 'status')['conditions']);

/** What the recorded Machine said before its deletion of what the deletion does not change. */
export function saidBefore(recorded: Recorded, types: readonly string[]) {
  const kept = new Map(saidBy(recorded.machine).map((each) => [each.type, each]));
  const running = saidBy(new Recorded('00-running').machine);
  return {
    status: {
      conditions: running.map((each) => (types.includes(each.type) ? (kept.get(each.type) ?? each) : each)),
    },
  };
}
