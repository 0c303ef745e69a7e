import type { TestProjectInlineConfiguration } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import { suite } from '../vitest.config.ts';
import type { Exhibit } from './exhibit.ts';
import { exhibits } from './museum.ts';
import { planting } from './planting.ts';

const everyTest = [...new Set(exhibits.flatMap(({ tests }) => tests))];

/** The suite once as it is, in the tests that any exhibit names, and once for each exhibit. */
export default defineConfig({
  test: {
    ...suite,
    // A planted mistake may keep tests from their end, and an exhibit has several such tests. So they have more time.
    testTimeout: 20_000,
    projects: [
      { extends: true, test: { name: 'unchanged', include: everyTest } },
      ...exhibits.map((exhibit) => projectOf(exhibit)),
    ],
  },
});

function projectOf(exhibit: Exhibit): TestProjectInlineConfiguration {
  const { number, tests } = exhibit;
  return { extends: true, plugins: [planting(exhibit)], test: { name: String(number), include: [...tests] } };
}
