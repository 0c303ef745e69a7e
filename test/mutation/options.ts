import type { PartialStrykerOptions } from '@stryker-mutator/api/core';

/** What is pure: it decides, and neither waits nor speaks to anyone. */
export const pureCore = [
  'functions/**/*.ts',
  'shared/{time,text,async,kubernetes,actuator,machine,drain,volumes,store,dialects,phase,observe,plan}/**/*.ts',
  'shared/provision/decide.ts',
];

/** @param mutate the sources to mutate, as globs; with lines: `shared/drain/plan.ts:10-20` */
export const strykerOptions = (mutate: readonly string[]): PartialStrykerOptions => ({
  mutate: [...mutate],
  testRunner: 'switching',
  plugins: ['./test/mutation/switching/plugin.ts'],
  coverageAnalysis: 'perTest',
  // Code that runs while a module loads would need the tests to be loaded again.
  ignoreStatic: true,
  concurrency: 1,
  // The thread sees for itself that a test does not end; this is for what would hold the thread.
  timeoutMS: 20_000,
  tempDirName: '.phaseout/mutation',
  ignorePatterns: ['.git', '.phaseout'],
  reporters: process.stdout.isTTY ? ['progress', 'html'] : ['html'],
  htmlReporter: { fileName: '.phaseout/mutation.html' },
  // Types are stripped, never checked; and TypeScript 7 has no API to rewrite its configuration with.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  allowConsoleColors: false,
});
