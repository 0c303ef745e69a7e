import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { management } from '../platform/clusters.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { type Effect, type EffectKind, effectOf } from './sight/effect.ts';
import { checkpointKey, finalizerOf, isDeleting, machineIn } from './sight/machine.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

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

export const onlyKnownWrites: Invariant = {
  name: 'nothing is written but what phaseout is for',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return {
      before(exchange) {
        const effect = effectOf(exchange, witness);
        if (effect === undefined) return;
        const isKnown = effect.kind !== 'unknown' && shapes[effect.kind]?.(effect) !== false;
        if (!isKnown) violated(`${effect.label}: ${JSON.stringify(exchange.body)}`);
      },
    };
  },
};

const belonging: readonly EffectKind[] = [
  ...(['evict', 'cordon', 'delete Node', 'delete infrastructure', 'delete bootstrap'] as const),
  ...(['take finalizer'] as const),
];

export const onlyOfDeletedMachines: Invariant = {
  name: 'only what belongs to a Machine that is being deleted is touched, and nothing that lives',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    let wrong: string | undefined;
    return {
      before(exchange) {
        wrong = undefined;
        const effect = effectOf(exchange, witness);
        if (effect === undefined || !belonging.includes(effect.kind) || isMissed(effect)) return;
        const { plan, actor } = effect;
        if (plan === undefined) wrong = `${effect.label}: it belongs to no Machine`;
        else if (!wasDeleted(witness, actor, plan)) wrong = `${effect.label}: Machine ${plan.name} lives`;
      },
      after(_exchange, { code }) {
        if (wrong !== undefined && ![404, 409, 422].includes(code)) violated(wrong);
        wrong = undefined;
      },
      provider({ instance, operation, machine }) {
        const { uid = '', name } = machine.metadata;
        const living = scenario.machines
          .map((plan) => machineIn(witness.past.present, plan))
          .find((one) => one?.metadata.uid === uid);
        if (operation === 'delete' && living !== undefined && !isDeleting(living))
          violated(`the provider is asked by ${instance} to delete the server of ${name}, which lives`);
      },
    };
  },
};

/** What is meant is not there, or is another one by now. */
const isMissed = ({ object, uid }: Effect): boolean =>
  object === undefined || (uid !== undefined && object.metadata.uid !== uid);

const wasDeleted = (witness: Witness, actor: Effect['actor'], plan: NonNullable<Effect['plan']>): boolean =>
  witness.wasSoLately(actor, [machineRead(plan)], (view) => {
    const machine = machineIn(view, plan);
    return machine !== undefined && isDeleting(machine);
  });

const besideNodes = new Set<EffectKind>(['evict', 'cordon', 'delete Node', 'Lease']);

export const onlyTheRightCluster: Invariant = {
  name: "another cluster's objects are never written",
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return {
      before(exchange: Exchange) {
        const effect = effectOf(exchange, witness);
        if (effect === undefined) return;
        const isBesideNodes = besideNodes.has(effect.kind);
        if (!isBesideNodes && exchange.host !== management)
          violated(`${effect.label}: this is written where Machines are, and nowhere else`);
        if (!isBesideNodes || effect.kind === 'Lease') return;
        const { uid, object } = effect;
        const isElsewhere = scenario.machines.some(
          ({ host, node = '' }) =>
            host !== exchange.host && world.cluster(host).get('nodes', undefined, node)?.metadata.uid === uid,
        );
        if (object !== undefined && object.metadata.uid !== uid && isElsewhere)
          violated(`${effect.label}: the UID ${uid} is that of a Node of another cluster`);
      },
    };
  },
};
