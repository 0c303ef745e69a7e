import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { loadTests, type TestThread } from './load-tests.ts';
import type { Measured, Tried } from './messages.ts';

/**
 * Stryker's own runner for Vitest starts a thread and loads the tests for every mutant: about a second each. This one
 * loads them once and switches mutants in the loaded code: about a hundredth.
 */
function createSwitchingRunner(): TestRunner {
  let thread: TestThread | undefined;
  let milliseconds = new Map<string, number>();
  const quickestFirst = (tests: readonly string[]): string[] =>
    tests.toSorted((one, other) => (milliseconds.get(one) ?? 0) - (milliseconds.get(other) ?? 0));
  const started = (): TestThread => {
    if (!thread) throw new Error('the tests have not been loaded');
    return thread;
  };
  return {
    // Otherwise Stryker restarts the process for code that runs on loading and also later. The tests try that code as
    // it runs later.
    capabilities: () => ({ reloadEnvironment: true }),
    init: async () => {
      thread = await loadTests();
    },
    dryRun: async () => {
      const measured = await started().ask({ kind: 'measure' }, 'measured');
      milliseconds = new Map(measured.tests.map((test) => [test.id, test.milliseconds]));
      return toDryRun(measured);
    },
    mutantRun: async ({ activeMutant, testFilter = [], hitLimit = Infinity }) => {
      const tests = quickestFirst(testFilter);
      const trial = { kind: 'try', mutant: activeMutant.id, tests, hitLimit } as const;
      return toMutantRun(await started().ask(trial, 'tried'));
    },
    dispose: async () => thread?.close(),
  };
}

const toDryRun = ({ tests, coverage }: Measured): DryRunResult => ({
  status: DryRunStatus.Complete,
  mutantCoverage: coverage,
  tests: tests.map(toTestResult),
});

function toTestResult({ id, file, milliseconds, failure }: Measured['tests'][number]): TestResult {
  const test = { id, name: id, fileName: file, timeSpentMs: milliseconds };
  return failure === undefined
    ? { ...test, status: TestStatus.Success }
    : { ...test, status: TestStatus.Failed, failureMessage: failure };
}

function toMutantRun({ ran: nrOfTests, outcome }: Tried): MutantRunResult {
  if (outcome.kind === 'survived') return { status: MutantRunStatus.Survived, nrOfTests };
  if (outcome.kind === 'endless') return { status: MutantRunStatus.Timeout, reason: 'a test did not end' };
  const { by, failure } = outcome;
  return { status: MutantRunStatus.Killed, nrOfTests, killedBy: [by], failureMessage: failure };
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'switching', createSwitchingRunner),
];
