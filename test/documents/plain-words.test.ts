import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read, root } from './markdown.ts';

/** Words that readers with another first language stumble over. */
const riddles = /\b(?:whoever|nobody|of which|lest|anew|be it)\b/i;

const ours = ['functions', 'shared', 'infra', 'events'];
const isText = (path: string): boolean => /(?:\.(?:ts|js|mjs|md|ya?ml|json|txt)|Dockerfile)$/.test(path);
const isOurs = (path: string): boolean => !/(?:^|\/)node_modules\/|^test\/golden\//.test(path);

const paths = [
  ...ours.flatMap((folder) => globSync(`${folder}/**/*`, { cwd: root }).filter(isText)),
  ...globSync('.github/*.md', { cwd: root }),
  ...globSync('**/*.md', { cwd: root, exclude: (path) => /node_modules|^test\/golden$/.test(path) }),
];
const texts = [...new Set(paths)].filter(isOurs).toSorted();

test('the texts were found', () => {
  expect(texts).toContain('README.md');
  expect(texts).toContain('.github/CONTRIBUTING.md');
  expect(texts).toContain('shared/time/clock.ts');
  expect(texts.length).toBeGreaterThan(500);
});

test('every text uses plain words', () => {
  const found = texts.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (riddles.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(found).toEqual([]);
});
