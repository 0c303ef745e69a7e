import { areEqual } from '../../../infra/local/kubernetes/server/json.ts';
import { type ConditionList, conditionsFrom } from '../../../shared/dialects/conditions.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import { ownLease } from '../platform/hook-watchdog.ts';
import type { Invariant } from './invariant.ts';
import { namesAnother } from './sight/effect.ts';
import { isHookStatus } from './sight/hook-status.ts';
import { cordonsByServer, testedIn } from './sight/json-patch.ts';
import { judgingRequests } from './sight/judging.ts';
import { checkpointKey, finalizerOf, hooksKey, isDeleting } from './sight/machine.ts';
import { isHandOver, isHookWrite } from './sight/our-hook-writes.ts';
import type { Effect, EffectKind } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

const keysOf = (value: unknown, ...path: string[]): string[] => Object.keys(recordAt(value, ...path));

const onlyHas = (keys: readonly string[], allowed: readonly string[]): boolean =>
  keys.every((key) => allowed.includes(key));

const versioned = ['resourceVersion', 'uid'];

/** The checkpoint of a deletion, or which functions are asked. */
const isOfDeleted = ({ exchange: { body }, plan }: Effect): boolean =>
  onlyHas(keysOf(body), ['metadata']) &&
  onlyHas(keysOf(body, 'metadata'), [...versioned, 'annotations']) &&
  onlyHas(keysOf(body, 'metadata', 'annotations'), [checkpointKey, 'phaseout.dev/trace', ...askedKeys(plan)]);

/** The original API has no hooks. */
const askedKeys = (plan: Effect['plan']): string[] => (plan?.api === 'v1alpha1' ? [] : [hooksKey]);

/** What makes a Machine one of ours before it is deleted. */
const isOfLiving = ({ exchange: { body }, plan }: Effect): boolean =>
  onlyHas(keysOf(body), plan?.api === 'v1alpha1' ? ['metadata', 'spec'] : ['metadata']) &&
  onlyHas(keysOf(body, 'metadata'), [
    ...versioned,
    ...(plan?.api === 'v1alpha1' ? ['finalizers', 'ownerReferences'] : ['finalizers']),
  ]) &&
  onlyHas(keysOf(body, 'spec'), ['providerID']);

const notDrained = (list: unknown): ConditionList =>
  conditionsFrom(list).filter(({ type }) => type !== 'Drained');

/** The condition Drained alone, of the version that is named. */
function isMark({ exchange: { body }, object }: Effect): boolean {
  const operations: readonly unknown[] = Array.isArray(body) ? body : [];
  const writes = operations.filter((one) => textAt(one, 'op') !== 'test');
  const [write] = writes;
  const version = testedIn(body, '/metadata/resourceVersion');
  const isOne = writes.length === 1 && textAt(write, 'path') === '/status/conditions';
  if (!isOne || version === undefined || testedIn(body, '/metadata/uid') === undefined) return false;
  if (object === undefined || object.metadata.resourceVersion !== version) return true;
  return areEqual(notDrained(recordAt(write)['value']), notDrained(recordAt(object, 'status')['conditions']));
}

/** It names another object, or an older version of it, than the one that is there. */
const isLate = (effect: Effect): boolean => {
  const { object, exchange } = effect;
  const version = textAt(exchange.body, 'metadata', 'resourceVersion');
  return (
    object === undefined ||
    namesAnother(effect) ||
    (version !== undefined && object.metadata.resourceVersion !== version)
  );
};

/** Both conditions of a drain, in our words. The conditions of others stay as they are in the named version. */
function isOfDrain(effect: Effect): boolean {
  const { object, exchange } = effect;
  const { metadata, status } = {
    metadata: keysOf(exchange.body, 'metadata'),
    status: keysOf(exchange.body, 'status'),
  };
  const isWhole =
    onlyHas(keysOf(exchange.body), ['metadata', 'status']) && metadata.length === versioned.length;
  if (!isWhole || !onlyHas(metadata, versioned) || !onlyHas(status, ['conditions'])) return false;
  const [ours, others] = conditionsOf(exchange.body);
  if (ours.length !== 2 || !ours.every(({ reason = '' }) => reason.startsWith('Phaseout'))) return false;
  return isLate(effect) || JSON.stringify(others) === JSON.stringify(conditionsOf(object)[1]);
}

const isOfDrains = ({ type }: { type: string }): boolean => type === 'DrainInProgress' || type === 'Drained';

/** Those of a drain, and the others. */
function conditionsOf(holder: unknown): [ConditionList, ConditionList] {
  const all = conditionsFrom(recordAt(holder, 'status')['conditions']);
  return [all.filter(isOfDrains), all.filter((each) => !isOfDrains(each))];
}

const isOwnStatus = ({ exchange: { body } }: Effect): boolean =>
  onlyHas(keysOf(body), ['metadata', 'status']) && onlyHas(keysOf(body, 'metadata'), versioned);

/** The annotation that kubectl sets, and for which Machine. */
const isRestart = ({ exchange: { body } }: Effect): boolean =>
  onlyHas(keysOf(body), ['metadata', 'spec']) &&
  onlyHas(keysOf(body, 'metadata'), [...versioned, 'annotations']) &&
  onlyHas(keysOf(body, 'metadata', 'annotations'), ['phaseout.dev/restarted-for']) &&
  onlyHas(keysOf(body, 'spec'), ['template']) &&
  onlyHas(keysOf(body, 'spec', 'template'), ['metadata']) &&
  onlyHas(keysOf(body, 'spec', 'template', 'metadata'), ['annotations']) &&
  onlyHas(keysOf(body, 'spec', 'template', 'metadata', 'annotations'), ['kubectl.kubernetes.io/restartedAt']);

/** What a write of each kind may consist of. */
const shapes: Partial<Record<EffectKind, (effect: Effect) => boolean>> = {
  cordon: ({ exchange: { body } }) =>
    cordonsByServer(body) ||
    (onlyHas(keysOf(body), ['metadata', 'spec']) &&
      onlyHas(keysOf(body, 'metadata'), ['uid']) &&
      JSON.stringify(recordAt(body, 'spec')) === '{"unschedulable":true}'),
  'show drain': isOfDrain,
  'write Machine'(effect) {
    // The Machine was deleted or made again meanwhile. The server refuses the write for its version or UID.
    if (isLate(effect))
      return isOfLiving(effect) || isOfDeleted(effect) || isHookWrite(effect, isLate(effect));
    return effect.object !== undefined && isDeleting(effect.object)
      ? isOfDeleted(effect)
      : isOfLiving(effect) || isHookWrite(effect, isLate(effect));
  },
  'write status': isOwnStatus,
  'take finalizer': ({ exchange: { body }, plan }) => {
    const operations: readonly unknown[] = Array.isArray(body) ? body : [];
    const removed = operations
      .filter((one) => textAt(one, 'op') === 'remove')
      .map((one) => textAt(one, 'path'));
    const isTested = operations.some(
      (one) =>
        textAt(one, 'op') === 'test' &&
        textAt(one, 'path') === removed[0] &&
        recordAt(one)['value'] === (plan && finalizerOf[plan.api]),
    );
    return removed.length === 1 && isTested;
  },
  'hand over': isHandOver,
  'write hook status': isHookStatus,
  'write policy status': isOwnStatus,
  'delete Pod': ({ exchange: { body } }) => onlyHas(keysOf(body), ['apiVersion', 'kind', 'preconditions']),
  restart: isRestart,
  'mark drained': isMark,
  PingSource: ({ exchange: { body } }) =>
    onlyHas(keysOf(body), ['metadata', 'spec']) && onlyHas(keysOf(body, 'spec'), ['schedule']),
  Lease: ({ exchange: { name, body, verb } }) =>
    verb === 'patch'
      ? name === ownLease.name && onlyHas(keysOf(body), ['spec'])
      : (name || textAt(body, 'metadata', 'name')) === 'phaseout-control-plane-cordon',
};

/** Past a budget nothing is done but what somebody has granted. */
const isGranted = ({ kind }: Effect, { actions }: Config): boolean =>
  (kind !== 'delete Pod' || actions.has('Delete')) && (kind !== 'restart' || actions.has('RolloutRestart'));

export const onlyKnownWrites: Invariant = {
  name: 'nothing is written but what phaseout is for',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingRequests(
      witness,
      (effect) => {
        const isKnown = effect.kind !== 'unknown' && shapes[effect.kind]?.(effect) !== false;
        return isKnown && isGranted(effect, world.config)
          ? undefined
          : `what it sends is ${JSON.stringify(effect.exchange.body)}`;
      },
      violated,
    );
  },
};
