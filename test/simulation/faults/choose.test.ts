import { expect, test } from 'vitest';
import { chosenFaults } from './choose.ts';
import { faults } from './index.ts';

const namesOf = (options: Parameters<typeof chosenFaults>[0]): string[] =>
  chosenFaults(options).map(({ name }) => name);

test('all strike that strike by chance, if none is named', () => {
  expect(chosenFaults({})).toEqual(faults);
});

test('only those strike that are named, also those that strike nobody by chance', () => {
  expect(namesOf({ only: ['stale-reads', 'conflict'] }).toSorted()).toEqual(['conflict', 'stale-reads']);
});

test('those that are taken out do not strike', () => {
  const left = namesOf({ without: ['conflict'] });
  expect(left).toHaveLength(faults.length - 1);
  expect(left).not.toContain('conflict');
});
