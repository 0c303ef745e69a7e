import { instrumented } from './instrumented.ts';
import type { LoadedTest } from './loaded-tests.ts';
import type { Measured, Outcome, Trial, Tried } from './messages.ts';
import { Endless, runTest } from './run-test.ts';

/** Runs every test without a mutant: how long it takes, and which mutants' places it passes. */
export async function measure(tests: Iterable<LoadedTest>): Promise<Measured> {
  const state = instrumented();
  const measured: Measured['tests'][number][] = [];
  for (const { id, file, task } of tests) {
    state.currentTestId = id;
    const start = performance.now();
    const failure = await failureOf(task);
    const milliseconds = performance.now() - start;
    measured.push({ id, file, milliseconds, ...(failure && { failure: failure.message }) });
  }
  state.currentTestId = undefined;
  return { kind: 'measured', tests: measured, coverage: state.mutantCoverage ?? { static: {}, perTest: {} } };
}

export async function tryMutant(trial: Trial, tests: ReadonlyMap<string, LoadedTest>): Promise<Tried> {
  const state = instrumented();
  Object.assign(state, { activeMutant: trial.mutant, hitCount: 0, hitLimit: trial.hitLimit });
  try {
    return await untilNoticed(trial, tests);
  } finally {
    Object.assign(state, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
  }
}

async function untilNoticed(trial: Trial, tests: ReadonlyMap<string, LoadedTest>): Promise<Tried> {
  let ran = 0;
  for (const id of trial.tests) {
    const test = tests.get(id);
    if (!test) throw new Error(`no test is named ${id}`);
    ran += 1;
    const failure = await failureOf(test.task);
    if (failure) return { kind: 'tried', ran, outcome: outcomeOf(failure, id, trial.hitLimit) };
  }
  return { kind: 'tried', ran, outcome: { kind: 'survived' } };
}

const outcomeOf = (failure: Error, by: string, hitLimit: number): Outcome =>
  failure instanceof Endless || (instrumented().hitCount ?? 0) > hitLimit
    ? { kind: 'endless' }
    : { kind: 'killed', by, failure: failure.message };

async function failureOf(task: LoadedTest['task']): Promise<Error | undefined> {
  try {
    await runTest(task);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
