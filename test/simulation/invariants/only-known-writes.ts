import { areEqual } from '../../../infra/local/kubernetes/server/json.ts';
import { type ConditionList, conditionsFrom } from '../../../shared/dialects/conditions.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { ownLease } from '../platform/hook-watchdog.ts';
import { exclusions, listedHook, ourHook, ourName } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { namesAnother } from './sight/effect.ts';
import { isHookStatus } from './sight/hook-status.ts';
import { isPathOfListedHook, pathOf, testedIn } from './sight/json-patch.ts';
import { judgingRequests } from './sight/judging.ts';
import { checkpointKey, finalizerOf, hooksKey, isDeleting } from './sight/machine.ts';
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

const registeredKey = 'phaseout.dev/registered';

/** Our hook, beside the API's own controllers, and how often it was put on. */
const isHook = (effect: Effect): boolean => {
  const { body } = effect.exchange;
  return (
    onlyHas(keysOf(body, 'metadata'), [...versioned, 'annotations']) &&
    /^[12]$/.test(textAt(body, 'metadata', 'annotations', registeredKey) ?? '') &&
    (effect.plan?.api === 'openshift' ? isListedHook(effect) : isAnnotatedHook(body))
  );
};

const isAnnotatedHook = (body: unknown): boolean =>
  onlyHas(keysOf(body), ['metadata']) &&
  onlyHas(keysOf(body, 'metadata', 'annotations'), [ourHook, registeredKey]) &&
  textAt(body, 'metadata', 'annotations', ourHook) === ourName;

/** A list is written whole: what others have on it stays as it is. */
function isListedHook(effect: Effect): boolean {
  const { exchange, object } = effect;
  const isWhole =
    onlyHas(keysOf(exchange.body), ['metadata', 'spec']) &&
    onlyHas(keysOf(exchange.body, 'spec'), ['lifecycleHooks']) &&
    onlyHas(keysOf(exchange.body, 'spec', 'lifecycleHooks'), ['preDrain']) &&
    onlyHas(keysOf(exchange.body, 'metadata', 'annotations'), [registeredKey]);
  const written = preDrainOf(exchange.body);
  const isOurs = JSON.stringify(written.at(-1)) === JSON.stringify(listedHook);
  if (!isWhole || !isOurs || isLate(effect)) return isWhole && isOurs;
  return JSON.stringify(written.slice(0, -1)) === JSON.stringify(preDrainOf(object));
}

function preDrainOf(machine: unknown): readonly unknown[] {
  const { preDrain = [] } = recordAt(machine, 'spec', 'lifecycleHooks');
  return Array.isArray(preDrain) ? preDrain : [];
}

/** Our hook goes, and nothing else of anybody; what comes on is our word, and exclusions in our name. */
function isHandOver({ exchange: { body }, plan, object }: Effect): boolean {
  const operations: readonly unknown[] = Array.isArray(body) ? body : [];
  const isListed = plan?.api === 'openshift';
  const hook = isListed ? pathOfTestedHook(operations) : pathOf(ourHook);
  const isTested =
    (isListed ? hook !== undefined : testedIn(body, pathOf(ourHook)) === ourName) &&
    testedIn(body, '/metadata/uid') !== undefined;
  const isPut = (path: string, value: string | undefined): boolean => {
    if (path === pathOf(checkpointKey)) return true;
    if (path === '/metadata/annotations') return object?.metadata.annotations === undefined;
    // OpenShift's exclusion passes the hooks of all others over, too.
    return !isListed && exclusionPaths.includes(path) && value === ourName;
  };
  return (
    isTested &&
    operations.every((one) => {
      const [op, path = '', value] = ['op', 'path', 'value'].map((field) => textAt(one, field));
      if (op === 'remove') return path === hook;
      return op === 'test' || (op === 'add' && isPut(path, value));
    })
  );
}

/** Where a JSON patch demands to find our hook, with its owner. */
const pathOfTestedHook = (operations: readonly unknown[]): string | undefined =>
  operations
    .filter((one) => textAt(one, 'op') === 'test')
    .filter((one) => JSON.stringify(recordAt(one)['value']) === JSON.stringify(listedHook))
    .map((one) => textAt(one, 'path') ?? '')
    .find(isPathOfListedHook);

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

/** What a write of each kind may consist of. */
const shapes: Partial<Record<EffectKind, (effect: Effect) => boolean>> = {
  cordon: ({ exchange: { body } }) =>
    onlyHas(keysOf(body), ['metadata', 'spec']) &&
    onlyHas(keysOf(body, 'metadata'), ['uid']) &&
    JSON.stringify(recordAt(body, 'spec')) === '{"unschedulable":true}',
  'show drain': isOfDrain,
  'write Machine'(effect) {
    // The Machine was deleted or made again meanwhile. The server refuses the write for its version or UID.
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
  'write hook status': isHookStatus,
  'mark drained': isMark,
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
