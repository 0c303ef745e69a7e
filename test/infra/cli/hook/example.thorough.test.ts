import { expect, test, vi } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { anOutside, parsed, phaseout } from '../outside.ts';
import { reading } from '../page-reader.ts';
import { good, says, serving } from './functions.ts';

test('a Machine of the example waits for a function, and goes on when it says Done', async () => {
  const { code, lines, stderr } = await phaseout('run', '--example', 'hooks');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const of = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(of('waits=WaitingForPreDrainHook for="hook take-out-osd of #storage-oncall"')).toBeGreaterThan(-1);
  expect(lines).toContainEqual(
    expect.stringContaining('hook=fleet/take-out-osd as=Done why="no placement group is left"'),
  );
  expect(of('hook=fleet/take-out-osd as=Done')).toBeLessThan(of('phase=drain after=pre-drain'));
  expect(lines).toContainEqual(expect.stringMatching(/^fleet\/worker-2 is gone after /));
});

test('a function that runs elsewhere takes the place of that in the process', async () => {
  const calls: unknown[] = [];
  const url = await serving((heard) => {
    calls.push(heard.data['place']);
    return good(heard);
  });
  const { code } = await phaseout('run', '--example', 'hooks', '--hook', `fleet/take-out-osd=${url}`);
  expect({ code, calls }).toEqual({ code: 0, calls: ['PreDrain', 'PreDrain'] });
});

test('the page shows what the function says', async () => {
  const { outside, written, interrupt } = await anOutside();
  const url = await serving(({ token }) =>
    says(token, { state: 'Working', message: 'moving <b>7</b> groups' }),
  );
  const args = ['--example', 'hooks', '-o', 'json', '--hook', `fleet/take-out-osd=${url}`];
  const ended = main(['run', ...args], outside);
  await vi.waitFor(() => expect(written.stdout).toContain('"page"'), 60_000);
  const { page } = parsed<{ page: string }>(written.stdout.split('\n')[0] ?? '');
  const read = await reading(page);
  await vi.waitFor(async () => {
    const machine = JSON.stringify(await read('/api/machines/capi/fleet/worker-2'));
    expect(machine).toContain('Waiting for DeletionHook take-out-osd: moving <b>7</b> groups');
  }, 60_000);
  interrupt();
  expect(await ended).toBe(130);
});
