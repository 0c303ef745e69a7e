import { defineConfig } from 'vitest/config';

// The tests of the pure core alone: whole stories would notice more mutants, and say less about what is wrong.
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/functions/**/*.test.ts',
      'test/shared/*.test.ts',
      // The contract of the store, as far as the one in memory has to keep it.
      'test/contracts/store-memory.test.ts',
      // What takes events in and what sweeps are of functions/, and their tests stand with what they call.
      'test/shared/runtime/{arrive,sweep}.test.ts',
      'test/shared/{actuator,dialects,drain,kubernetes,machine,plan,store,text,time,volumes}/**/*.test.ts',
    ],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
  },
});
