import { phases } from '../../shared/machine/phase.ts';
import type { Observer } from './observer.ts';

/** While none of our steps was under way. */
const between = 'between';

export const moments: readonly string[] = [...phases, between];

/** How often each fault has struck in each phase, and what was done. All of it can be added up and sent elsewhere. */
export interface Coverage {
  hits: Record<string, Record<string, number>>;
  /** Of requests that changed something, by verb and resource. */
  effects: Record<string, number>;
}

export const noCoverage = (): Coverage => ({ hits: {}, effects: {} });

/** Counts what happens in a world. */
export const covering = (coverage: Coverage) => (): Observer => ({
  hit(fault, struck) {
    const row = (coverage.hits[fault] ??= {});
    for (const phase of struck.length === 0 ? [between] : new Set(struck)) add(row, phase, 1);
  },
  after({ verb, resource, body }, { code }) {
    if (code >= 300 || verb === 'get' || verb === 'list' || verb === 'watch') return;
    // Such a patch of a Machine takes our hook or our finalizer off, or says that its drain is done.
    const how = Array.isArray(body) && resource.startsWith('machines.') ? ' by operations' : '';
    add(coverage.effects, `${verb} ${resource}${how}`, 1);
  },
  provider({ operation }, answer) {
    if (answer !== undefined) add(coverage.effects, `provider: ${operation} => ${answer.kind}`, 1);
  },
});

export function addCoverage(to: Coverage, { hits, effects }: Coverage): void {
  for (const [fault, row] of Object.entries(hits)) {
    const sum = (to.hits[fault] ??= {});
    for (const [phase, count] of Object.entries(row)) add(sum, phase, count);
  }
  for (const [effect, count] of Object.entries(effects)) add(to.effects, effect, count);
}

function add(counts: Record<string, number>, key: string, count: number): void {
  counts[key] = (counts[key] ?? 0) + count;
}
