import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { aboutWhom } from './requests-for-one.ts';
import { isDeleting } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** What was heard late, twice or by mistake is looked at, and what was lost is not known any more. */
const spoiling =
  /^(events|two-adapters|adapters|answer-lost|broker|sink|several|paused|delete-event|false-delete|watch|ticks|clock|store|crash|ended|all-instances|upgrade|checkpoint)/;

/** What instances write of their own: a write brings no look by its own author. */
const ownWrites = /^(machines\.|events|leases\.|pingsources\.)/;

/** With longer answers, a step that was given up goes on beside the next. */
const longestLatencyMilliseconds = 100;

/** In the same step something may be read twice. */
const inOneStepMilliseconds = 1_500;

export const apisAreLeftAlone: Invariant = {
  name: 'what an API wants not to be asked for a while about a Machine is not read before, unless something has happened',
  watch(world, scenario, violated) {
    if (scenario.world.latencyMilliseconds > longestLatencyMilliseconds) return {};
    const witness = witnessOf(world, scenario);
    /** By who asked for what: since when, and until when. */
    const held = new Map<string, { since: number; until: number }>();
    const others = (plan: MachinePlan | undefined): KubeObject[] =>
      scenario.machines.filter((other) => other !== plan).flatMap((other) => witness.lastOf(other) ?? []);
    let isSpoilt = false;
    for (const { cluster } of world.clusters.values())
      for (const resource of cluster.resources().filter((each) => !ownWrites.test(each)))
        cluster.watch(resource, () => held.clear());
    return {
      hit(fault) {
        isSpoilt ||= spoiling.test(fault);
        if (!fault.startsWith('throttled')) held.clear();
      },
      // What an instance did not serve comes again, from whomever it came.
      logged(_instance, _level, _message, fields) {
        isSpoilt ||= 'failure' in fields && fields.failure === 'too-many';
      },
      event({ attributes: { type } }) {
        if (type === command) held.clear();
      },
      replied: () => held.clear(),
      // It may be to a Machine, too.
      said: () => held.clear(),
      // An instance that finds the Machine changed in the meantime starts over with it.
      after(_exchange, { code }) {
        if (code === 409) held.clear();
      },
      // Who cannot save where the Machine stands knows nothing of it: the Broker has it looked at again.
      invented({ verb, resource }) {
        if (verb === 'patch' && resource.startsWith('machines.')) held.clear();
      },
      heldOff(exchange, seconds) {
        const { verb, resource, instance } = exchange;
        if (isSpoilt || !isOfInstance(instance) || !(verb === 'get' || verb === 'list')) return;
        // What its conditions show is read beside the drain, which waits for nothing of that.
        if (resource === 'nodes' && world.config.nodeConditions) return;
        const plan = resource.startsWith('machines.') ? undefined : aboutWhom(exchange, witness);
        const machine = plan && witness.lastOf(plan);
        if (machine === undefined || !isDeleting(machine) || others(plan).some(isCopyOf(machine))) return;
        held.set(keyOf(exchange), { since: world.now(), until: world.now() + seconds * 1_000 });
      },
      leaves(exchange) {
        const known = held.get(keyOf(exchange));
        const now = world.now();
        if (known === undefined || now >= known.until || now - known.since < inOneStepMilliseconds) return;
        held.clear();
        violated(`${keyOf(exchange)} ${(known.until - now) / 1_000} s too early`);
      },
    };
  },
};

const command = 'dev.phaseout.deletion.advance.v1';

/** What both refer to is looked at for the other one, too. */
const isCopyOf =
  (machine: KubeObject) =>
  (other: KubeObject): boolean =>
    other.metadata.namespace === machine.metadata.namespace && serverOf(other) === serverOf(machine);

const serverOf = (machine: KubeObject): string =>
  textAt(machine, 'spec', 'infrastructureRef', 'name') ?? machine.metadata.name;

const isOfInstance = (name: string): boolean => name.startsWith('instance-');

const keyOf = ({ instance, host, verb, resource, namespace, name, query }: Exchange): string =>
  `${instance}: ${verb} ${resource} ${namespace}/${name}${query['fieldSelector'] ?? ''} of ${host}`;
