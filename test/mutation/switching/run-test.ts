import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';

// Taken before a test can put its own clock in their place.
const { setTimeout, clearTimeout } = globalThis;

const patienceMilliseconds = 2_000;

/** A mutant can make that nothing ever wakes a test again. */
export class Endless extends Error {}

/**
 * Runs a test once more, with the hooks before and after it.
 *
 * @throws whatever the test throws; Endless when it did not end in two seconds
 */
export async function runTest(test: RunnerTestCase): Promise<void> {
  const suites = suitesAround(test);
  try {
    for (const suite of suites) {
      for (const before of TestRunner.getSuiteHooks(suite).beforeEach) await before(test.context, suite);
    }
    await inTime(TestRunner.getTestFn(test)());
  } finally {
    for (const suite of suites.toReversed()) {
      for (const after of TestRunner.getSuiteHooks(suite).afterEach) await after(test.context, suite);
    }
  }
}

/** Outermost first. */
function suitesAround({ suite, file }: RunnerTestCase): RunnerTestSuite[] {
  const around: RunnerTestSuite[] = [];
  for (let each = suite; each; each = each.suite) around.unshift(each);
  return around[0] === file ? around : [file, ...around];
}

async function inTime(work: unknown): Promise<void> {
  if (!(work instanceof Promise)) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Endless('the test did not end')), patienceMilliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
