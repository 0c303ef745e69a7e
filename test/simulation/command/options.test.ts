import { describe, expect, it } from 'vitest';
import { readOptions, UsageError } from './options.ts';

const read = (...args: string[]) => readOptions(args, 2, ['crash', 'lost']);

const usual = {
  seed: undefined,
  seeds: 1_000,
  from: 1,
  only: undefined,
  without: [],
  beside: 'some',
  deployments: false,
  jobs: 2,
  most: 5,
  sweeps: undefined,
  story: undefined,
  at: undefined,
  list: false,
  help: false,
};

describe('the options of the simulator', () => {
  it.each([
    { args: [], options: usual },
    { args: ['--seed', '17'], options: { ...usual, seed: 17 } },
    { args: ['--seeds', '1000000', '--from', '5'], options: { ...usual, seeds: 1_000_000, from: 5 } },
    { args: ['--only', 'crash'], options: { ...usual, only: ['crash'] } },
    { args: ['--without', 'crash, lost'], options: { ...usual, without: ['crash', 'lost'] } },
    { args: ['--beside'], options: { ...usual, beside: 'all' } },
    { args: ['--without-beside'], options: { ...usual, beside: 'none' } },
    { args: ['--observe'], options: { ...usual, beside: 'observe' } },
    { args: ['--deployments', '--beside'], options: { ...usual, deployments: true, beside: 'all' } },
    { args: ['--jobs', '1', '--most', '2', '--list'], options: { ...usual, jobs: 1, most: 2, list: true } },
    {
      args: ['--sweep', 'all'],
      options: { ...usual, seeds: 0, sweeps: ['crash', 'events', 'stale', 'refuse'] },
    },
    {
      args: ['--sweep', 'crash', '--story', 'plain', '--at', '17'],
      options: { ...usual, seeds: 0, sweeps: ['crash'], story: 'plain', at: 17 },
    },
    { args: ['--sweep', 'stale', '--seeds', '3'], options: { ...usual, seeds: 3, sweeps: ['stale'] } },
  ])('$args are understood', ({ args, options }) => {
    expect(read(...args)).toMatchObject(options);
  });

  it.each([
    { args: ['--seed', 'one'], why: /--seed: a whole number from 0 on is expected, not "one"/ },
    { args: ['--seeds', 'many'], why: /--seeds: a whole number from 1 on is expected, not "many"/ },
    { args: ['--seeds', '0'], why: /--seeds/ },
    { args: ['--only', 'flood'], why: /there is no fault "flood"/ },
    { args: ['--without', 'crash,'], why: /there is no fault ""/ },
    {
      args: ['--sweep', 'flood'],
      why: /--sweep: crash, events, stale, refuse or all is expected, not "flood"/,
    },
    {
      args: ['--sweep', 'crash', '--at', 'one'],
      why: /--at: a whole number from 0 on is expected, not "one"/,
    },
    { args: ['--at', '1'], why: /^--at is for a --sweep$/ },
    { args: ['--story', 'plain'], why: /^--story is for a --sweep$/ },
    { args: ['--sweep', 'crash', '--only', 'crash'], why: /^--only is not for a --sweep$/ },
    { args: ['--sweep', 'all', '--seed', '7'], why: /^--seed is not for a --sweep$/ },
    { args: ['--seed', '7', '--seeds', '9'], why: /^--seeds is not for a --seed$/ },
    { args: ['--seed', '7', '--from', '9'], why: /^--from is not for a --seed$/ },
    { args: ['--seed', '7', '--jobs', '1'], why: /^--jobs is not for a --seed$/ },
    { args: ['--beside', '--without-beside'], why: /^--beside is not for --without-beside$/ },
    { args: ['--beside', '--observe'], why: /^--beside is not for --observe$/ },
    { args: ['--sweep', 'all', '--beside'], why: /^--beside is not for a --sweep$/ },
    { args: ['--sweep', 'all', '--deployments'], why: /^--deployments is not for a --sweep$/ },
    { args: ['--fast'], why: /--fast/ },
    { args: ['17'], why: /17/ },
  ])('$args are refused, and it is said why', ({ args, why }) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(why);
  });
});
