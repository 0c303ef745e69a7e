import { defineConfig, type TestUserConfig } from 'vitest/config';

/** Threads without isolation: test files share the state of modules, which is why no module here keeps any. */
export const suite: TestUserConfig = {
  root: new URL('..', import.meta.url).pathname,
  setupFiles: ['test/real-time.ts'],
  pool: 'threads',
  isolate: false,
  // By default vitest leaves one core free, half of a small machine; tests mostly wait.
  maxWorkers: '100%',
  // Ends a test that hangs, not one that waits for its turn on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 20_000,
};

/** Both projects play these: `fast` each story as it is told, `thorough` the same under other conditions. */
const stories = 'test/stories/**/*.story.test.ts';
const thorough = 'test/**/*.thorough.test.ts';
/** They need a Chromium, which `npm ci` does not bring. */
const browser = 'test/browser/**/*.test.ts';

export default defineConfig({
  test: {
    ...suite,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [thorough, browser],
          provide: { stories: 'as they are told' },
        },
      },
      {
        extends: true,
        test: {
          name: 'thorough',
          include: [thorough, stories],
          provide: { stories: 'under other conditions' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [browser],
          provide: { stories: 'as they are told' },
        },
      },
    ],
  },
});

declare module 'vitest' {
  interface ProvidedContext {
    stories: 'as they are told' | 'under other conditions';
  }
}
