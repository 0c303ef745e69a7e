import { defineConfig } from 'vitest/config';

// Threads without isolation: module state is shared between files, which is why no module here keeps any.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
