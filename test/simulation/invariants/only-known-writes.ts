import { type ConditionList, conditionsFrom } from '../../../shared/dialects/conditions.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { ownLease } from '../platform/dead-man.ts';
import { exclusions, ourHook, ourName } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { namesAnother } from './sight/effect.ts';
import { pathOf, testedIn } from './sight/json-patch.ts';
import { judgingRequests } from './sight/judging.ts';
import { checkpointKey, finalizerOf, isDeleting } from './sight/machine.ts';
import type { Effect, EffectKind } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

const keysOf = (value: unknown, ...path: string[]): string[] => Object.keys(recordAt(value, ...path));

const onlyHas = (keys: readonly string[], allowed: readonly string[]): boolean =>
  keys.every((key) => allowed.includes(key));

const versioned = ['resourceVersion', 'uid'];

/** The checkpoint of a deletion. */
const isOfDeleted = ({ exchange: { body } }: Effect): boolean =>
  onlyHas(keysOf(body), ['metadata']) &&
  onlyHas(keysOf(body, 'metadata'), [...versioned, 'annotations']) &&
  onlyHas(keysOf(body, 'metadata', 'annotations'), [checkpointKey, 'phaseout.dev/trace']);

/** What makes a Machine one of ours before it is deleted. */
const isOfLiving = ({ exchange: { body }, plan }: Effect): boolean =>
  onlyHas(keysOf(body), plan?.api === 'v1alpha1' ? ['metadata', 'spec'] : ['metadata']) &&
  onlyHas(keysOf(body, 'metadata'), [
    ...versioned,
    ...(plan?.api === 'v1alpha1' ? ['finalizers', 'ownerReferences'] : ['finalizers']),
  ]) &&
  onlyHas(keysOf(body, 'spec'), ['providerID']);

const registeredKey = 'phaseout.dev/registered';

/** Our hook, beside Cluster API's own controller, and how often it was put on. */
const isHook = ({ exchange: { body } }: Effect): boolean =>
  onlyHas(keysOf(body), ['metadata']) &&
  onlyHas(keysOf(body, 'metadata'), [...versioned, 'annotations']) &&
  onlyHas(keysOf(body, 'metadata', 'annotations'), [ourHook, registeredKey]) &&
  textAt(body, 'metadata', 'annotations', ourHook) === ourName &&
  /^[12]$/.test(textAt(body, 'metadata', 'annotations', registeredKey) ?? '');

/** Our hook goes, and nothing else of anybody; what comes on is our word, and exclusions in our name. */
function isHandOver({ exchange: { body } }: Effect): boolean {
  const operations: readonly unknown[] = Array.isArray(body) ? body : [];
  const isTested =
    testedIn(body, pathOf(ourHook)) === ourName && testedIn(body, '/metadata/uid') !== undefined;
  return (
    isTested &&
    operations.every((one) => {
      const [op, path, value] = ['op', 'path', 'value'].map((field) => textAt(one, field));
      if (op === 'remove') return path === pathOf(ourHook);
      if (op !== 'add') return op === 'test';
      return path === pathOf(checkpointKey) || (exclusionPaths.includes(path ?? '') && value === ourName);
    })
  );
}

const exclusionPaths = Object.values(exclusions).map(pathOf);

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

/** Both conditions of a drain, in our words; those of others stay as they are in the version that is named. */
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

/** What a write of each kind may consist of. */
const shapes: Partial<Record<EffectKind, (effect: Effect) => boolean>> = {
  cordon: ({ exchange: { body } }) =>
    onlyHas(keysOf(body), ['metadata', 'spec']) &&
    onlyHas(keysOf(body, 'metadata'), ['uid']) &&
    JSON.stringify(recordAt(body, 'spec')) === '{"unschedulable":true}',
  'show drain': isOfDrain,
  'write Machine'(effect) {
    // The Machine has been deleted or made again meanwhile: the write is refused for the version or UID that it names.
    if (isLate(effect)) return isOfLiving(effect) || isOfDeleted(effect) || isHook(effect);
    return effect.object !== undefined && isDeleting(effect.object)
      ? isOfDeleted(effect)
      : isOfLiving(effect) || isHook(effect);
  },
  'write status': ({ exchange: { body } }) =>
    onlyHas(keysOf(body), ['metadata', 'status']) &&
    onlyHas(keysOf(body, 'metadata'), ['resourceVersion', 'uid']),
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
  PingSource: ({ exchange: { body } }) =>
    onlyHas(keysOf(body), ['metadata', 'spec']) && onlyHas(keysOf(body, 'spec'), ['schedule']),
  Lease: ({ exchange: { name, body, verb } }) =>
    verb === 'patch'
      ? name === ownLease.name && onlyHas(keysOf(body), ['spec'])
      : (name || textAt(body, 'metadata', 'name')) === 'phaseout-control-plane-cordon',
};

export const onlyKnownWrites: Invariant = {
  name: 'nothing is written but what phaseout is for',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingRequests(
      witness,
      (effect) => {
        const isKnown = effect.kind !== 'unknown' && shapes[effect.kind]?.(effect) !== false;
        return isKnown ? undefined : `what it sends is ${JSON.stringify(effect.exchange.body)}`;
      },
      violated,
    );
  },
};
