import { fileURLToPath } from 'node:url';
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node';
import type { Exhibit } from './exhibit.ts';
import { pathInRepository } from './plant.ts';
import { type Outcome, type Verdict, verdictOf } from './verdict.ts';

/** The suite, ready to be run with any exhibit's mistake in the code. */
export interface Suite {
  /** Runs the tests that these exhibits name on the code as it is; what fails, by name. */
  unchanged(exhibits: readonly Exhibit[]): Promise<string[]>;
  visit(exhibit: Exhibit): Promise<Verdict>;
  close(): Promise<void>;
}

/** One process, and one run of the test runner, for all: each exhibit has its own modules there. */
export async function openSuite(exhibits: readonly Exhibit[]): Promise<Suite> {
  const vitest = await createVitest('test', {
    config: fileURLToPath(import.meta.resolve('./vitest.config.ts')),
    project: ['unchanged', ...exhibits.map(({ number }) => String(number))],
    watch: false,
    reporters: [{}],
  });
  return {
    async unchanged(those) {
      const { outcomes, unhandled } = await run(
        vitest,
        'unchanged',
        those.flatMap(({ tests }) => tests),
      );
      const failed = outcomes.flatMap((outcome) => outcome.failed.map(({ name }) => name));
      return [...failed, ...outcomes.flatMap(({ errors }) => errors), ...unhandled];
    },
    async visit({ number, tests }) {
      const { outcomes } = await run(vitest, String(number), tests);
      return verdictOf(outcomes);
    },
    close: () => vitest.close(),
  };
}

async function run(
  vitest: Vitest,
  project: string,
  tests: readonly string[],
): Promise<{ outcomes: Outcome[]; unhandled: string[] }> {
  const files = new Set(tests.map(pathInRepository));
  const all = await vitest.globTestSpecifications();
  const chosen = all.filter((each) => each.project.name === project && files.has(each.moduleId));
  if (chosen.length !== files.size) {
    throw new Error(`of the ${files.size} test files for "${project}" only ${chosen.length} were found`);
  }
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
  // The test runner hands out the modules of earlier runs as well.
  const own = testModules.filter((each) => each.project.name === project && files.has(each.moduleId));
  return { outcomes: own.map(outcomeOf), unhandled: unhandledErrors.map(String) };
}

const outcomeOf = (module: TestModule): Outcome => ({
  errors: module.errors().map(({ name, message }) => `${name ?? 'Error'}: ${message.split('\n', 1).join()}`),
  failed: [...module.children.allTests('failed')].map((test) => ({
    name: test.fullName,
    errors: errorNames(test),
  })),
});

const errorNames = (test: TestCase): string[] =>
  (test.result().errors ?? []).map(({ name }) => name ?? 'Error');
