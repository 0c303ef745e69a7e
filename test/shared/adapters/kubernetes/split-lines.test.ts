import { expect, test } from 'vitest';

import { completeLines } from '../../../../shared/adapters/kubernetes/watch.ts';

async function* inPieces(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function linesOf(...pieces: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of completeLines(inPieces(...pieces))) lines.push(line);
  return lines;
}

test.each<[string, string[], string[]]>([
  ['at their ends', ['a\n', 'b\n'], ['a', 'b']],
  ['anywhere', ['a', 'a\nb', '', 'b', '\n'], ['aa', 'bb']],
  ['not at all', ['a\nb\nc\n'], ['a', 'b', 'c']],
  ['before an end', ['a', '\n', 'b', '\nc\n'], ['a', 'b', 'c']],
  ['with blank ones between them', ['\na\n', ' \r\n\n', 'b\n'], ['a', 'b']],
  ['with one that is not complete', ['a\nb'], ['a']],
])('lines that were cut %s are whole again', async (_, pieces, lines) => {
  expect(await linesOf(...pieces)).toEqual(lines);
});

test('a long line in very many pieces takes no time to speak of', async () => {
  const pieces = Array.from({ length: 20_000 }, () => 'x'.repeat(1_000));
  expect((await linesOf(...pieces, '\n')).map(({ length }) => length)).toEqual([20_000_000]);
});

test('a line that does not end is given up', async () => {
  const pieces = Array.from({ length: 33 }, () => 'x'.repeat(1024 * 1024));
  await expect(linesOf(...pieces)).rejects.toThrow('a line of the watch is too long');
});
