import { describe, expect, it } from 'vitest';
import { readReleaseOptions } from '../../../../infra/cli/release/command.ts';
import { UsageError } from '../../../../infra/terminal/usage-error.ts';

const read = (...args: string[]) => {
  const { values: _, ...options } = readReleaseOptions(args);
  return options;
};

describe('release is told', () => {
  it.each([
    [['a/b'], { released: [{ namespace: 'a', name: 'b' }], installation: '', isDryRun: false }],
    [
      ['a/b', 'capi:c/d', '--dry-run'],
      {
        released: [
          { namespace: 'a', name: 'b' },
          { api: 'capi', namespace: 'c', name: 'd' },
        ],
        installation: '',
        isDryRun: true,
      },
    ],
    [
      ['b', 'a/c', '-n', 'a'],
      {
        released: [
          { namespace: 'a', name: 'b' },
          { namespace: 'a', name: 'c' },
        ],
      },
    ],
    [['--all'], { released: {}, installation: '', isDryRun: false }],
    [
      ['--all', '--namespace', 'fleet', '--installation', 'blue'],
      { released: { namespace: 'fleet' }, installation: 'blue', isDryRun: false },
    ],
    [['--all', '--installation', 'b'.repeat(54)], { installation: 'b'.repeat(54) }],
  ])('%j', (args, options) => {
    expect(read(...args)).toMatchObject(options);
  });
});

describe('release refuses', () => {
  it.each([
    [[], 'release needs the NAMESPACE/NAME of Machines, or --all'],
    [['worker-1'], 'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, not "worker-1"'],
    [['a/b', '--all'], '--all and names of Machines exclude each other'],
    [['a/b', '-n', 'c'], '--namespace says c, and a/b is of the namespace a'],
    [['--all', '--namespace='], '--namespace takes the name of a namespace'],
    [['v1alpha1:a/b'], 'release is for Machines of Cluster API and OpenShift, and v1alpha1:a/b is none'],
    [
      ['--all', '--installation', 'Blue'],
      '--installation: an installation is named by at most 54 lower-case letters, digits and dashes, not "Blue"',
    ],
    [
      ['--all', '--installation', 'b'.repeat(55)],
      `--installation: an installation is named by at most 54 lower-case letters, digits and dashes, not "${'b'.repeat(55)}"`,
    ],
    [['--all', '--force'], "Unknown option '--force'"],
  ])('%j', (args, message) => {
    expect(() => readReleaseOptions(args)).toThrow(new UsageError(message));
  });
});
