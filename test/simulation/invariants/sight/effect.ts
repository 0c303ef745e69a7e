import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import { ourHook, ourSecondHook } from '../../scenario/beside.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import { wordsOf } from '../../story/deeds.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isPathOfListedHook, pathOf, testedIn } from './json-patch.ts';
import { restartedForIn } from './restarted-for.ts';
import type { Effect, EffectKind } from './seen-effect.ts';
import type { Witness } from './witness.ts';

/** It names another object than the one that is there: the server will say so. */
export const namesAnother = ({ uid, object }: Effect): boolean =>
  uid !== undefined && object !== undefined && object.metadata.uid !== uid;

/** By verb and resource. */
const kindsOfRequests: Readonly<Record<string, EffectKind>> = {
  'create pods/eviction': 'evict',
  'delete pods': 'delete Pod',
  'patch deployments.apps': 'restart',
  'patch nodes': 'cordon',
  'patch nodes/status': 'show drain',
  'delete nodes': 'delete Node',
  'create events': 'Event',
  'patch deletionhooks.phaseout.dev/status': 'write hook status',
  'patch drainpolicies.phaseout.dev/status': 'write policy status',
  'create leases.coordination.k8s.io': 'Lease',
  'patch leases.coordination.k8s.io': 'Lease',
  'delete leases.coordination.k8s.io': 'Lease',
  'patch pingsources.sources.knative.dev': 'PingSource',
};

function kindOf({ verb, resource, body }: Exchange): EffectKind {
  const kind = kindsOfRequests[`${verb} ${resource}`];
  if (kind !== undefined) return kind;
  if (verb === 'delete' && resource.endsWith('.infrastructure.cluster.x-k8s.io'))
    return 'delete infrastructure';
  if (verb === 'delete' && resource.endsWith('.bootstrap.cluster.x-k8s.io')) return 'delete bootstrap';
  if (verb !== 'patch' || !resource.startsWith('machines.')) return 'unknown';
  if (resource.endsWith('/status')) return Array.isArray(body) ? 'mark drained' : 'write status';
  if (!Array.isArray(body)) return 'write Machine';
  return handsOver(body) ? 'hand over' : 'take finalizer';
}

const handsOver = (operations: readonly unknown[]): boolean =>
  operations.some((one) => {
    const path = textAt(one, 'path') ?? '';
    return path === pathOf(ourHook) || path === pathOf(ourSecondHook) || isPathOfListedHook(path);
  });

const effects = new WeakMap<Exchange, Effect>();

const reading = new Set(['get', 'list', 'watch']);

/** Undefined for requests that only read, and for those of others than instances. */
export function effectOf(exchange: Exchange, witness: Witness): Effect | undefined {
  if (reading.has(exchange.verb) || !exchange.instance.startsWith('instance')) return undefined;
  const known = effects.get(exchange) ?? readEffect(exchange, witness);
  effects.set(exchange, known);
  return known;
}

function readEffect(exchange: Exchange, witness: Witness): Effect {
  const { verb, resource, namespace, name, host, instance, body } = exchange;
  const kind = kindOf(exchange);
  const [bare = ''] = resource.split('/');
  const isNamed = name !== '' && verb !== 'create' ? true : kind === 'evict';
  const object = isNamed ? witness.past.present.get(host, bare, namespace || undefined, name) : undefined;
  const plan = planOf(kind, { ...exchange, resource: bare }, object, witness);
  const machine = plan && witness.lastOf(plan);
  const uid =
    textAt(body, 'deleteOptions', 'preconditions', 'uid') ??
    textAt(body, 'preconditions', 'uid') ??
    textAt(body, 'metadata', 'uid') ??
    testedIn(body, '/metadata/uid');
  const actor = { instance, machineUid: machine?.metadata.uid ?? '', plan };
  const label = `${instance} ${wordsOf(exchange) ?? verb}`;
  return { kind, exchange, plan, machine, object, uid, actor, label };
}

function planOf(
  kind: EffectKind,
  { host, resource, namespace, name, body }: Exchange,
  object: KubeObject | undefined,
  witness: Witness,
): MachinePlan | undefined {
  if (kind === 'restart') return witness.machineWithUid(restartedForIn(body));
  if (kind === 'evict' || kind === 'delete Pod')
    return witness.machineOfNode(host, textAt(object, 'spec', 'nodeName') ?? '');
  if (kind === 'cordon' || kind === 'show drain' || kind === 'delete Node')
    return witness.machineOfNode(host, name);
  if (kind.startsWith('delete')) return witness.machineOfObject(resource, namespace, name);
  return resource.startsWith('machines.') ? witness.machineNamed(resource, namespace, name) : undefined;
}
