import { describe, expect, it } from 'vitest';
import { lookSourceOf, placeOptions } from '../../../../infra/cli/look/options.ts';
import { parseArguments } from '../../../../infra/terminal/parse-arguments.ts';

const sourceIn = (line: string) =>
  lookSourceOf(
    parseArguments(
      line.split(' ').filter((word) => word !== ''),
      placeOptions,
    ).values,
  );

describe('where a command looks', () => {
  it.each([
    ['nothing means the current context', '', { kind: 'cluster' }],
    ['a context is of the own kubeconfig', '--context c', { kind: 'cluster', context: 'c' }],
    ['a file may be named', '--kubeconfig k --context c', { kind: 'cluster', kubeconfig: 'k', context: 'c' }],
    [
      'the workload cluster may be another context',
      '--workload-context w',
      { kind: 'cluster', workload: { context: 'w' } },
    ],
    [
      'the workload context is of the file that is named',
      '--kubeconfig k --workload-context w',
      { kind: 'cluster', kubeconfig: 'k', workload: { kubeconfig: 'k', context: 'w' } },
    ],
    [
      'the workload cluster may have a file of its own',
      '--kubeconfig k --workload-kubeconfig f',
      { kind: 'cluster', kubeconfig: 'k', workload: { kubeconfig: 'f' } },
    ],
    ['an example is one', '--example openshift', { kind: 'example', name: 'openshift' }],
    ['a dump is one', '--load a', { kind: 'manifests', paths: ['a'] }],
  ])('%s', (_sentence, line, expected) => {
    expect(sourceIn(line)).toEqual(expected);
  });

  it.each([
    ['a workload cluster of an example', '--example capi --workload-context w', 'lead to a real cluster'],
    ['a workload cluster of a dump', '--load a --workload-kubeconfig w', 'use --load-workload for a dump'],
    ['a dump and a cluster', '--load a --kubeconfig k', '--load and --kubeconfig exclude each other'],
    ['a context of a dump', '--load a --context c', '--context needs --kubeconfig'],
    ['a dump of a workload cluster alone', '--load-workload a', '--load-workload needs --load'],
  ])('%s is refused', (_what, line, message) => {
    expect(() => sourceIn(line)).toThrow(message);
  });
});
