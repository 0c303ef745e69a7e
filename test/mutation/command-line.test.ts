import { expect, test } from 'vitest';
import { type CommandLine, readCommandLine } from './command-line.ts';

test.each<[string[], CommandLine]>([
  [[], { kind: 'run', globs: undefined }],
  [
    ['--mutate', 'shared/a.ts,shared/b.ts', '--mutate', 'functions/c.ts:1-2'],
    { kind: 'run', globs: ['shared/a.ts', 'shared/b.ts', 'functions/c.ts:1-2'] },
  ],
  [['--help'], { kind: 'help' }],
  [['--mutant', 'x'], { kind: 'refused', why: "Unknown option '--mutant'" }],
  [['--mutate'], { kind: 'refused', why: "Option '--mutate <value>' argument missing" }],
])('%j is taken so', (args, answer) => {
  expect(readCommandLine(args)).toEqual(answer);
});
