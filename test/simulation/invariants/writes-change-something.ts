import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isCordoned } from '../../stories/stage/sights.ts';
import { management } from '../platform/clusters.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { cordonsByServer } from './sight/json-patch.ts';
import { isDeleting } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import { nodeRead, type Witness, witnessOf } from './sight/witness.ts';

const statuses = ['write hook status', 'write policy status'];
const patches = [
  'write Machine',
  'write status',
  'cordon',
  'show drain',
  'PingSource',
  'restart',
  ...statuses,
];

export const writesChangeSomething: Invariant = {
  name: 'nothing is written that changes nothing',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const futile = new Set<string>();
    const unheard = new WeakMap<Exchange, string>();
    let before: { effect: Effect; version: string | undefined } | undefined;
    const versionNow = ({ exchange: { host, resource, namespace, name } }: Effect): string | undefined =>
      witness.past.present.get(host, resource.split('/')[0] ?? '', namespace || undefined, name)?.metadata
        .resourceVersion;
    const isInGoodFaith = ({ kind, actor, plan, exchange }: Effect): boolean => {
      if (kind !== 'cordon' || plan?.node === undefined) return false;
      // It was not read whether the Node is cordoned.
      if (cordonsByServer(exchange.body)) return true;
      const { host, node } = plan;
      return witness.wasSoLately(actor, [nodeRead(plan)], (view) => {
        const seen = view.get(host, 'nodes', undefined, node);
        return seen !== undefined && !isCordoned(seen);
      });
    };
    return {
      before(exchange) {
        const effect = effectOf(exchange, witness);
        const isPatch = effect !== undefined && patches.includes(effect.kind) && effect.object !== undefined;
        before = isPatch ? { effect, version: effect.object?.metadata.resourceVersion } : undefined;
      },
      after(exchange, { code }) {
        const asked = before;
        before = undefined;
        if (asked === undefined || code >= 300) return;
        const { effect, version } = asked;
        if (versionNow(effect) !== version || isInGoodFaith(effect)) return;
        // An older API keeps some fields of a status out, which shows only when it is written.
        const known = `${effect.actor.instance} ${effect.actor.machineUid} ${version}`;
        const isTried = Object.keys(recordAt(effect.exchange.body, 'status')).join() === 'deletion';
        if (!isTried || futile.has(known)) violated(effect.label);
        unheard.set(exchange, known);
      },
      // Whose answer is lost does not know that it was in vain.
      heard(exchange) {
        const known = unheard.get(exchange);
        if (known !== undefined) futile.add(known);
      },
    };
  },
};

/** Whose Machines DeletionHooks are for. */
const askingApis = ['machines.cluster.x-k8s.io', 'machines.machine.openshift.io'];

/** Nothing is being deleted any more, and nothing changes. Only a look now and then is left. */
export const quietIsQuiet: Invariant = {
  name: 'nothing is written when nothing happens',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    let isQuiet = false;
    const tended = new Set<string>();
    // A Machine that was made while no event came through is found by a sweep of all.
    const isTended = ({ kind, machine }: Effect): boolean => {
      if (kind !== 'write Machine' || machine === undefined || isDeleting(machine)) return false;
      const { uid = '' } = machine.metadata;
      return !tended.has(uid) && tended.add(uid).has(uid);
    };
    // The next sweep counts what has gone last, also of the API's own controllers.
    const counted = new Set<string>();
    const isCounted = ({ kind, exchange: { resource, namespace, name } }: Effect): boolean => {
      const there = askingApis
        .flatMap((api) => witness.past.present.list(management, api))
        .filter(({ metadata }) => metadata.namespace === namespace);
      const seen = `${resource} ${namespace}/${name} of ${there.length}`;
      return statuses.includes(kind) && !counted.has(seen) && counted.add(seen).has(seen);
    };
    /** Who was frozen with them on their way has them arrive at any time. */
    const sentBefore = new WeakSet<Exchange>();
    return {
      quiet() {
        isQuiet = true;
      },
      leaves(exchange) {
        if (!isQuiet) sentBefore.add(exchange);
      },
      after(exchange, { code }) {
        if (!isQuiet || code >= 300 || sentBefore.has(exchange)) return;
        const effect = effectOf(exchange, witness);
        if (effect === undefined || isOfRest(effect) || isTended(effect) || isCounted(effect)) return;
        if (!isBelated(witness, effect)) violated(effect.label);
      },
    };
  },
};

/**
 * An instance that was frozen during a step still writes the outcome. Only an event or a sweep, however late, reports
 * that our hook is late or off for good.
 */
const isBelated = ({ reads }: Witness, { kind, actor, exchange }: Effect): boolean =>
  kind === 'Event' &&
  (reads.stillnessOf(actor.instance) > 0 || ofHooks.includes(textAt(exchange.body, 'reason') ?? ''));

// The owner of a Node is reported with a late hook.
const ofHooks = ['HookLate', 'HookTakenOff', 'NodeOfAnotherServer', 'NodeUnknown'];

/**
 * Each sweep of all renews the Lease. A look that finds nothing to do puts the tick to rest. The status of a living
 * server may change.
 */
const isOfRest = ({ kind, plan, machine }: Effect): boolean =>
  kind === 'PingSource' ||
  kind === 'Lease' ||
  (kind === 'write status' && plan?.api === 'v1alpha1' && machine !== undefined && !isDeleting(machine));
