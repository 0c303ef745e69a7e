import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import type { Effect, EffectKind } from './sight/effect.ts';
import { judgingRequests } from './sight/judging.ts';
import { checkpointKey, finalizerOf, isDeleting } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

const keysOf = (value: unknown, ...path: string[]): string[] => Object.keys(recordAt(value, ...path));

const onlyHas = (keys: readonly string[], allowed: readonly string[]): boolean =>
  keys.every((key) => allowed.includes(key));

/** What a write of each kind may consist of. */
const shapes: Partial<Record<EffectKind, (effect: Effect) => boolean>> = {
  cordon: ({ exchange: { body } }) =>
    onlyHas(keysOf(body), ['metadata', 'spec']) &&
    onlyHas(keysOf(body, 'metadata'), ['uid']) &&
    JSON.stringify(recordAt(body, 'spec')) === '{"unschedulable":true}',
  'write Machine': (effect) => {
    const { object, plan } = effect;
    const { body } = effect.exchange;
    // Another one of the same name may live by now: the write is then refused for the UID that it names.
    const isLiving = object !== undefined && !isMissed(effect) && !isDeleting(object);
    const versioned = ['resourceVersion', 'uid'];
    const ofLiving = plan?.api === 'v1alpha1' ? ['finalizers', 'ownerReferences'] : ['finalizers'];
    const spec = isLiving && plan?.api === 'v1alpha1' ? ['providerID'] : [];
    return (
      onlyHas(keysOf(body), ['metadata', ...(spec.length > 0 ? ['spec'] : [])]) &&
      onlyHas(keysOf(body, 'metadata'), [...versioned, ...(isLiving ? ofLiving : ['annotations'])]) &&
      onlyHas(keysOf(body, 'metadata', 'annotations'), [checkpointKey, 'phaseout.dev/trace']) &&
      onlyHas(keysOf(body, 'spec'), spec)
    );
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
  PingSource: ({ exchange: { body } }) =>
    onlyHas(keysOf(body), ['metadata', 'spec']) && onlyHas(keysOf(body, 'spec'), ['schedule']),
  Lease: ({ exchange: { name, body } }) =>
    (name || textAt(body, 'metadata', 'name')) === 'phaseout-control-plane-cordon',
};

/** What is meant is not there, or is another one by now. */
const isMissed = ({ object, uid }: Effect): boolean =>
  object === undefined || (uid !== undefined && object.metadata.uid !== uid);

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
