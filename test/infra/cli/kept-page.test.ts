import { describe, expect, it, vi } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { anOutside } from './outside.ts';

/** In front of a terminal, in which lines are told instead of a board. */
async function inATerminal({ stdin = true, stdout = true } = {}) {
  const given = await anOutside({ env: { PHASEOUT_LOG_LEVEL: 'error', TERM: 'dumb' } });
  const { outside } = given;
  return {
    ...given,
    outside: { ...outside, stdin: { isTTY: stdin }, stdout: { ...outside.stdout, isTTY: stdout } },
  };
}

const statusOf = async (address: string): Promise<number> => (await fetch(address)).status;

describe('the page of the example', () => {
  it('stays in a terminal when the deletion is over, until it is interrupted', async () => {
    const { outside, written, interrupt } = await inATerminal();
    const running = main(['run'], outside);
    await vi.waitFor(() => expect(written.stdout).toContain('The page stays until Ctrl-C:'), 60_000);
    expect(written.stdout).toContain('fleet/worker-1 is gone after ');
    const address = written.stdout.trimEnd().split('\n').at(-1) ?? '';
    expect(address).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{22}$/);
    expect(await statusOf(address.trim())).toBe(200);
    interrupt();
    expect(await running).toBe(0);
  });

  it.each([
    ['nobody types', { stdin: false }, ['run']],
    ['nobody reads', { stdout: false }, ['run']],
    ['the answer is for programs', {}, ['run', '-o', 'json']],
  ])('ends by itself where %s', async (_what, terminal, args) => {
    const { outside, written } = await inATerminal(terminal);
    expect(await main(args, outside)).toBe(0);
    expect(written.stdout).not.toContain('The page stays');
  });
});
