import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { readPageOptions } from '../../../infra/cli/page/page.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { aMachine, anEntry, aStore, clock } from './history/a-store.ts';
import { anOutside, phaseout } from './outside.ts';
import { reading } from './page-reader.ts';

interface Machine {
  state: string;
  plan: { phases: { phase: string }[] };
  explanation: { verdict: string };
  history: { message: string }[];
  unread: string[];
}

const recorded = join(import.meta.dirname, '../../golden/capi/20-draining-pdb-blocked.yaml');

describe('phaseout page', () => {
  test('shows what the other commands say, until it is interrupted', async () => {
    const { outside, written, interrupt } = await anOutside({ clock: systemClock });
    const running = main(['page', '--example', 'capi'], outside);
    await expect
      .poll(() => written.stdout, { timeout: 30_000 })
      .toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{22}\n$/);
    expect(written.stderr).toBe(
      'The page of the example fleet, for you alone, until Ctrl-C. It only reads.\n',
    );
    const read = await reading(written.stdout.trim());
    const overview = await read<{ living: { name: string }[] }>('/api/overview');
    expect(overview.living.map(({ name }) => name)).toEqual([
      'control-plane-1',
      'worker-1',
      'worker-2',
      'worker-3',
    ]);
    const machine = await read<Machine>('/api/machines/capi/fleet/worker-1');
    expect(machine).toMatchObject({ state: 'living', explanation: { verdict: 'alive' } });
    expect(machine.plan.phases.map(({ phase }) => phase)).toContain('volume-detach');
    interrupt();
    expect(await running).toBe(0);
  });

  test('shows a recorded deletion, with its history where a store has it', async () => {
    const { store, endpoint } = await aStore();
    const entry = anEntry(1, { message: 'one Pod is left' });
    await store.appendHistory(aMachine('fbb634a5-d1cf-4978-b82c-c0439e21e496'), [entry]);
    const { outside, written, interrupt } = await anOutside({ clock });
    const running = main(['page', '--load', recorded, '--endpoint', endpoint], outside);
    await expect.poll(() => written.stdout, { timeout: 30_000 }).toMatch(/^http/);
    const read = await reading(written.stdout.trim());
    const machine = await read<Machine>('/api/machines/capi/capi-bench/g-pdb-yam8');
    expect(machine).toMatchObject({
      state: 'deleting',
      explanation: { verdict: 'held' },
      history: [{ message: 'one Pod is left' }],
      unread: [],
    });
    interrupt();
    expect(await running).toBe(0);
  });

  test.each([
    [['--port', 'x'], 'phaseout: --port takes a number from 1 to 65535, not "x"'],
    [['--port', '70000'], 'phaseout: --port takes a number from 1 to 65535, not "70000"'],
    [['-n', ''], 'phaseout: --namespace takes the name of a namespace'],
    [['fleet/worker-1'], 'phaseout: unexpected argument "fleet/worker-1"'],
    [['--output', 'json'], "phaseout: Unknown option '--output'"],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await phaseout('page', ...args);
    expect({ code, message: stderr.split('\n')[0] }).toEqual({ code: 2, message });
  });

  test('looks at the current context unless it is told otherwise', () => {
    expect(readPageOptions(['--port', '8099'])).toEqual({
      port: 8_099,
      namespace: undefined,
      source: { kind: 'cluster', kubeconfig: undefined, context: undefined },
      named: {},
      isSourceSaid: false,
      installedIn: 'phaseout',
    });
  });
});
