import { management } from '../platform/clusters.ts';
import { deletionHooks } from '../scenario/build/deletion-hooks.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { witnessOf } from './sight/witness.ts';

/** What an instance has listed since it wrote a status last. */
type Counted = Set<'DeletionHooks' | 'Machines'>;

/** A sweep lists both. A look at one Machine has counted nothing. */
export const hookStatusesAreCounted: Invariant = {
  name: 'the status of a DeletionHook is written by a sweep alone, and once',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const counted = new Map<string, Map<string, Counted>>();
    const listed = (instance: string): Map<string, Counted> => {
      const known = counted.get(instance) ?? new Map<string, Counted>();
      counted.set(instance, known);
      return known;
    };
    const keys = world.functions.hooks.map(({ namespace, name }) => `${namespace}/${name}`);
    let why: string | undefined;
    return {
      before(exchange) {
        const effect = effectOf(exchange, witness);
        if (effect?.kind !== 'write hook status') return;
        const { instance, namespace, name } = exchange;
        const has = listed(instance).get(`${namespace}/${name}`) ?? new Set();
        if (has.has('DeletionHooks') && has.has('Machines')) return;
        why = `${effect.label}: it has listed ${[...has].join(' and ') || 'nothing'} before`;
      },
      after(exchange, { code }) {
        const wrong = why;
        why = undefined;
        if (code >= 300) return;
        if (wrong !== undefined) violated(wrong);
        const { instance, namespace, name, resource } = exchange;
        if (resource === `${deletionHooks}/status`) listed(instance).delete(`${namespace}/${name}`);
        const what = listedBy(exchange);
        if (what === undefined) return;
        for (const key of keys.filter((each) => namespace === '' || each.startsWith(`${namespace}/`)))
          listed(instance).set(key, (listed(instance).get(key) ?? new Set()).add(what));
      },
    };
  },
};

/** Undefined for what is no list of all there are. */
function listedBy({ host, verb, resource, query }: Exchange): 'DeletionHooks' | 'Machines' | undefined {
  const isWhole = query['labelSelector'] === undefined && query['fieldSelector'] === undefined;
  if (host !== management || verb !== 'list' || !isWhole) return undefined;
  if (resource === deletionHooks) return 'DeletionHooks';
  return resource.startsWith('machines.') ? 'Machines' : undefined;
}
