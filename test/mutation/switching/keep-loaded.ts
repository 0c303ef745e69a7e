import { inject, type RunnerTestFile, TestRunner } from 'vitest';
import { openChannel } from './channel.ts';
import { type LoadedTest, loadedTests } from './loaded-tests.ts';
import type { Order, Reply } from './messages.ts';
import { measure, tryMutant } from './try-mutant.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testFiles: number;
  }
}

/**
 * Loads all test files without running them, and stays to run tests on order from outside. Loading takes the most time,
 * and no mutant needs to repeat it.
 */
export default class KeepLoaded extends TestRunner {
  private readonly tests = new Map<string, LoadedTest>();
  private files = 0;

  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) {
      const failure = file.result?.errors?.[0];
      if (failure) throw new Error(`${file.filepath} cannot be loaded: ${failure.message}`);
      for (const test of loadedTests(file, this.config.root)) this.tests.set(test.id, test);
    }
  }

  /** In the place of running a file. */
  async runSuite(): Promise<void> {
    this.files += 1;
    if (this.files === inject('testFiles')) await serve(this.tests);
  }
}

/** Until it is told to close. */
async function serve(tests: ReadonlyMap<string, LoadedTest>): Promise<void> {
  const channel = openChannel<Reply, Order>();
  let next = channel.next();
  channel.say({ kind: 'loaded' });
  for (let order = await next; order.kind !== 'close'; order = await next) {
    next = channel.next();
    channel.say(await obey(order, tests));
  }
  channel.close();
}

async function obey(
  order: Exclude<Order, { kind: 'close' }>,
  tests: ReadonlyMap<string, LoadedTest>,
): Promise<Reply> {
  try {
    return order.kind === 'measure' ? await measure(tests.values()) : await tryMutant(order, tests);
  } catch (error) {
    return { kind: 'failed', message: String(error) };
  }
}
