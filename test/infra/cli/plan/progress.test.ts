import { expect, it } from 'vitest';
import { openProgress } from '../../../../infra/cli/plan/many/progress.ts';

const judging = (isTTY: boolean): string => {
  let written = '';
  const stderr = { isTTY, write: (text: string) => (written += text) };
  const progress = openProgress(2, { stderr });
  progress.add();
  progress.add();
  progress.close();
  return written;
};

it('is told on standard error in a terminal, and leaves nothing behind', () => {
  expect(judging(true).split('\r\u001B[K')).toEqual([
    '',
    '0 of 2 Machines are judged',
    '1 of 2 Machines are judged',
    '2 of 2 Machines are judged',
    '',
  ]);
});

it('is told nowhere else', () => {
  expect(judging(false)).toBe('');
});
