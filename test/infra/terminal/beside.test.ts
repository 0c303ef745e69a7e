import { expect, it } from 'vitest';
import { countedOnce, tellBeside } from '../../../infra/terminal/beside.ts';
import { anOutside } from '../cli/outside.ts';

it('each sentence is said once, with a count where it was said more often', () => {
  expect(countedOnce(['a', 'b', 'a', 'a\n'])).toEqual(['a (3 times)', 'b']);
});

it('what is said beside an answer goes to the other stream', async () => {
  const { outside, written } = await anOutside();
  tellBeside({ notes: ['given twice', 'given twice'], unread: ['not read: pods: \u001b[31m'] }, outside);
  expect(written).toEqual({
    stdout: '',
    stderr: 'given twice (2 times)\nnot read: pods: \ufffd[31m\n',
  });
});

it('nothing is written where there is nothing to say', async () => {
  const { outside, written } = await anOutside();
  tellBeside({ notes: [] }, outside);
  expect(written).toEqual({ stdout: '', stderr: '' });
});
