import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Cell, matrix } from './stage/matrix.ts';
import { storyFile } from './stage/story.ts';

/** Where the three Machine APIs differ. */
const features = [
  'finalizer',
  'cluster link',
  'pause',
  'watch filter',
  'pre-drain hook',
  'pre-terminate hook',
  'hook added after deletion',
  'pre-drain hook with drain excluded',
  'pre-drain hook without nodeRef',
  'skip drain',
  'drain timeout',
  'drain style',
  'drain rules, order, label',
  'unreachable node',
  'node object gone',
  'wait for volumes',
  'terminate instance',
  'bootstrap object',
  'Node deletion',
  'last control plane / no control plane',
  'external control plane',
  'own machine protected',
  'progress conditions',
  'phase',
  'start times',
  'events',
  'metrics',
  'scale-down mark',
  'delete policy',
  'etcd protection',
  'delayed retry from provider',
  'missing Cluster object',
];

const here = new URL('.', import.meta.url).pathname;
const files = new Set(
  readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt')),
);

const titles = (cell: Cell): readonly string[] => ('why' in cell ? [] : cell);

function fileOf(story: string): string {
  const end = story.lastIndexOf('/');
  return storyFile(story.slice(0, end), story.slice(end + 1));
}

it('each difference of the Machine APIs has its row', () => {
  expect(matrix.map(({ feature }) => feature)).toStrictEqual(features);
});

it('each is told of, but for one: phaseout keeps no metrics', () => {
  const untold = matrix.filter((row) => [row.capi, row.openshift, row.v1alpha1].flatMap(titles).length === 0);
  expect(untold.map(({ feature }) => feature)).toStrictEqual(['metrics']);
});

it.each(matrix)('the stories of "$feature" are there', ({ capi, openshift, v1alpha1 }) => {
  const told = [capi, openshift, v1alpha1].flatMap(titles);
  expect(told.filter((story) => !files.has(fileOf(story)))).toStrictEqual([]);
});

it('where nothing is told it says why', () => {
  const cells = matrix.flatMap(({ capi, openshift, v1alpha1 }) => [capi, openshift, v1alpha1]);
  const empty = cells.filter((cell) => ('why' in cell ? cell.why === '' : cell.length === 0));
  expect(empty).toStrictEqual([]);
});

it('a story stands with the API that it is about', () => {
  const misplaced = matrix.flatMap(({ capi, openshift, v1alpha1 }) => [
    ...titles(capi).filter((story) => /^(openshift|v1alpha1)\//.test(story)),
    ...titles(openshift).filter((story) => !story.startsWith('openshift/')),
    ...titles(v1alpha1).filter((story) => !story.startsWith('v1alpha1/')),
  ]);
  expect(misplaced).toStrictEqual([]);
});
