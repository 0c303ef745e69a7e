import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Edit, Exhibit } from './exhibit.ts';
import { pathInRepository, planted, StaleExhibit } from './plant.ts';

const anExhibit = (...edits: Edit[]): Exhibit => ({
  number: 7,
  from: 'somebody/something 1',
  mistake: 'It goes wrong.',
  file: 'shared/some.ts',
  edits,
  tests: [],
});

const code = 'one, two, two, three';

test.each<[string, Edit[], string]>([
  ['takes the place of the text', [{ text: 'one', instead: 'ten' }], 'ten, two, two, three'],
  ['may be nothing at all', [{ text: ', three', instead: '' }], 'one, two, two'],
  ['is taken as it is written', [{ text: 'one', instead: '$& $1' }], '$& $1, two, two, three'],
  [
    'may be in several places',
    [
      { text: 'one', instead: 'ten' },
      { text: 'three', instead: 'thirty' },
    ],
    'ten, two, two, thirty',
  ],
])('a mistake %s', (_what, edits, expected) => {
  expect(planted(anExhibit(...edits), code)).toBe(expected);
});

test.each([
  ['four', 'exhibit 7 is stale: in shared/some.ts this is not there:\nfour'],
  ['two', 'exhibit 7 is stale: in shared/some.ts this is there 2 times:\ntwo'],
])('a mistake without one place of its own is stale: %s', (text, message) => {
  expect(() => planted(anExhibit({ text, instead: '' }), code)).toThrow(new StaleExhibit(message));
});

test.each([
  ['', [-1, 0]],
  ['11', [0, -1]],
])('plain Node loads the code with exhibit "%s" in it', (number, expected) => {
  const script = `
    const { planDrain } = await import(${JSON.stringify(pathInRepository('shared/drain/plan.ts'))});
    const podOf = (name) => ({ metadata: { name, namespace: 'ns', uid: name } });
    const verdict = (order) => ({ pod: podOf(String(order)), behavior: 'Drain', order, decidedBy: '', warnings: [] });
    const { batches } = planDrain([verdict(0), verdict(-1)], { records: new Map() });
    process.stdout.write(JSON.stringify(batches.map(({ order }) => order)));
  `;
  const words = ['--import', import.meta.resolve('./register.ts'), '--input-type=module', '-e', script];
  const env = { ...process.env, MUSEUM_EXHIBIT: number };
  const said = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], { env });
  expect(JSON.parse(said.toString())).toEqual(expected);
});
