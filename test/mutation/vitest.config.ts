import { defineConfig } from 'vitest/config';

// The tests of the pure core alone: whole stories would notice more mutants, and say less about what is wrong.
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/functions/**/*.test.ts',
      // The part of the store's contract that the one in memory has to keep.
      'test/contracts/store-memory.test.ts',
      // What takes events in and what sweeps are of functions/, and their tests stand with what they call.
      'test/shared/{reconcile/load,intake/sweep,provision/decide}.test.ts',
      'test/shared/{time,text,async,kubernetes,actuator,machine,drain,volumes,store,dialects,phase,observe,plan}/**/*.test.ts',
    ],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
  },
});
