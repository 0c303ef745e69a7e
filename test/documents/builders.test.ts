import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, tableIn, withoutQuotes } from './markdown.ts';

test('every file of builders is in their table, and no other', () => {
  const told = tableIn('test/README.md', 'file').flatMap(([files]) => withoutQuotes(files).split(' '));
  expect(told.toSorted()).toEqual(readdirSync(join(root, 'test/builders')).toSorted());
});
