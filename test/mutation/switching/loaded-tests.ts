import { relative } from 'node:path';
import type { RunnerTask, RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest';

/** A test that can run as often as one likes without loading anything again. */
export interface LoadedTest {
  id: string;
  file: string;
  task: RunnerTestCase;
}

/** The tests of a file, each by the file's path and its names from the outermost. Equal names get a number. */
export function loadedTests(file: RunnerTestFile, root: string): LoadedTest[] {
  const path = relative(root, file.filepath);
  const uses = new Map<string, number>();
  return casesIn(file).map((task) => {
    const name = `${path}#${namesOf(task).join(' > ')}`;
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return { id: use === 1 ? name : `${name} (${use})`, file: path, task };
  });
}

function casesIn(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? casesIn(task) : task));
}

function namesOf(task: RunnerTask): string[] {
  return task.suite ? [...namesOf(task.suite), task.name] : [task.name];
}
