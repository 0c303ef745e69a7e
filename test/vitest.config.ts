import { defineConfig } from 'vitest/config';

// Threads without isolation: module state is shared between files, which is why no module here keeps any.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/real-time.ts'],
    pool: 'threads',
    isolate: false,
    // One core is left free otherwise, which is half of a small machine; much of the time is spent waiting.
    maxWorkers: '100%',
    // To end what hangs, and not what only waits for its turn on a busy computer.
    testTimeout: 120_000,
    hookTimeout: 20_000,
  },
});
