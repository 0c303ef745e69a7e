import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { exhibitOf, exhibits } from './museum.ts';
import { pathInRepository, planted } from './plant.ts';

const textOf = (file: string): string => readFileSync(pathInRepository(file), 'utf8');

test('every known bug is an exhibit', () => {
  expect(exhibits.map(({ number, from }) => [number, from])).toEqual([
    [1, 'kubernetes-sigs/cluster-api 8507'],
    [2, 'kubernetes-sigs/cluster-api 11590'],
    [3, 'kubernetes-sigs/cluster-api 11050'],
    [4, 'kubernetes-sigs/cluster-api 12920'],
    [5, 'kubernetes-sigs/cluster-api 13508'],
    [6, 'kubernetes-sigs/cluster-api 14024'],
    [7, 'kubernetes-sigs/cluster-api 12640'],
    [8, 'kubernetes-sigs/cluster-api 11032'],
    [9, 'kubernetes-sigs/cluster-api 6894'],
    [10, 'kubernetes-sigs/cluster-api 3872'],
    [11, 'kubernetes-sigs/cluster-api, its documentation'],
    [12, 'kubernetes-sigs/karpenter 1133'],
    [13, 'kubernetes-sigs/karpenter 1776'],
    [14, 'kubernetes-sigs/karpenter 2237'],
    [15, 'gardener/machine-controller-manager 563'],
    [16, 'gardener/machine-controller-manager 468'],
    [17, 'gardener/machine-controller-manager 703'],
    [18, 'gardener/machine-controller-manager 785'],
    [19, 'gardener/machine-controller-manager 482'],
    [20, 'openshift/machine-api-operator 1066'],
    [21, 'openshift/machine-api-operator 1476'],
    [22, 'openshift/machine-api-operator, its drain controller'],
    [23, 'kubernetes/kubernetes 138229'],
    [24, 'kubernetes/kubernetes 75957'],
    [25, 'aws/aws-node-termination-handler 297'],
    [26, 'aws/aws-node-termination-handler 331'],
    [27, 'NVIDIA/NVSentinel 593'],
    [28, 'NVIDIA/NVSentinel 1847'],
    [29, 'defenseunicorns/pepr 745'],
    [30, 'defenseunicorns/pepr, its finalizer code'],
    [31, 'kubernetes-sigs/cluster-api, its machine controller'],
    [32, 'kubernetes-sigs/cluster-api, its drain'],
  ]);
});

test.each(exhibits)('exhibit $number still has its place in $file, and is code there', (exhibit) => {
  const code = textOf(exhibit.file);
  const wrong = planted(exhibit, code);
  expect(wrong).not.toBe(code);
  expect(stripTypeScriptTypes(wrong)).not.toBe('');
});

test.each(exhibits)(
  'exhibit $number is in the product, and names tests that there are',
  ({ file, tests }) => {
    expect(file).toMatch(/^(functions|shared|infra)\//);
    expect(tests).not.toEqual([]);
    expect(tests.filter((path) => !existsSync(pathInRepository(path)))).toEqual([]);
    expect(new Set(tests).size).toBe(tests.length);
  },
);

test('a number without an exhibit is an error that names it', () => {
  expect(() => exhibitOf('99')).toThrow(
    new RangeError('there is no exhibit "99"; --list names those that there are'),
  );
});
