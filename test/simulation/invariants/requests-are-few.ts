import type { Invariant } from './invariant.ts';
import { isDeleting, machineIn } from './sight/machine.ts';
import { watchRefusals } from './sight/refusals.ts';
import { witnessOf } from './sight/witness.ts';

/** What a whole deletion may cost, and each eviction. */
export const perMachine = 25;
/** A new instance finds out what is served, and knows of nothing yet. */
const perInstance = 25;
export const perEviction = 1.1;
/** What one more look may cost: after a wait, after a change, or after something went wrong. */
const perLook = 12;
/** While it waits, each instance looks at a Machine this often, in seconds. A lone instance has looks to make up for. */
export const secondsBetweenLooks = 10;
export const fewestLooking = 2;
/** How often a Pod that is refused is tried in that time at most. */
export const attemptsBetweenLooks = 2;
/** Listing all Machines of three APIs, and what is due. */
const perTick = 10;

/** Changes of these end waits, and so are worth a look. */
export const awaited = ['pods', 'nodes', 'poddisruptionbudgets.policy', 'volumeattachments.storage.k8s.io'];

/** An eviction that was refused, or what another instance was first to write. */
export const isSetback = (code: number, isEviction: boolean): boolean =>
  code === 409 || (isEviction && code >= 400);

export const requestsAreFew: Invariant = {
  name: 'requests stay within 25 for a Machine and 1.1 for an eviction, and a bounded number of looks again',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const deleted = new Set<string>();
    const refusals = watchRefusals(world);
    const instances = new Set<string>();
    let requests = 0;
    let evictions = 0;
    let ticks = 0;
    let strikes = 0;
    /** As of one Machine: each of them brings a look soon, and too soon is for others to judge. */
    let setbacks = 0;
    let waited = 0;
    let last = world.now();

    /** Time counts for each waiting Machine, times the instances that look at it, and for each Pod to retry. */
    const pass = (): void => {
      const looking = deleted.size * Math.max(fewestLooking, world.instances().length);
      waited += (world.now() - last) * (looking + attemptsBetweenLooks * refusals.count());
      last = world.now();
    };
    const allowed = (): number => {
      const changes = awaited.reduce((sum, resource) => sum + witness.past.changesOf(resource), 0);
      const looks = waited / 1_000 / secondsBetweenLooks + changes + strikes + setbacks;
      const known = perMachine * deleted.size + perInstance * instances.size;
      return known + perEviction * evictions + perTick * ticks + perLook * looks;
    };
    return {
      before({ instance, resource, verb }) {
        if (!instance.startsWith('instance')) return;
        requests += 1;
        instances.add(instance);
        if (resource === 'pods/eviction' && verb === 'create') evictions += 1;
        if (requests <= perMachine) return;
        pass();
        if (requests > allowed() && requests % perMachine === 0)
          violated(
            `${requests} requests where ${Math.floor(allowed())} are enough: ` +
              `${deleted.size} deletions, ${evictions} evictions, ${ticks} ticks, ${strikes} faults`,
          );
      },
      after(exchange, { code }) {
        const isEviction = exchange.resource === 'pods/eviction';
        if (isEviction) pass();
        refusals.note(exchange, code);
        if (exchange.instance.startsWith('instance') && isSetback(code, isEviction)) setbacks += 1;
      },
      event({ attributes }) {
        if (attributes['type'] === 'dev.knative.sources.ping') ticks += 1;
        pass();
        for (const plan of scenario.machines) {
          const machine = machineIn(witness.past.present, plan);
          if (machine !== undefined && isDeleting(machine)) deleted.add(machine.metadata.uid ?? '');
        }
      },
      hit() {
        strikes += 1;
      },
    };
  },
};
