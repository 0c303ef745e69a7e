import { describe, expect, it } from 'vitest';
import { boardReporter } from '../../../infra/cli/run/board.ts';
import type { Change } from '../../../infra/cli/run/change.ts';
import type { Other } from '../../../infra/cli/run/others.ts';
import { Progress } from '../../../infra/cli/run/progress.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import { VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';
import { anOutside } from './outside.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

interface Size {
  columns?: number;
  rows?: number;
  /** Of the Machine API. */
  phases?: readonly Phase[];
  timeline?: boolean;
}

/** A board on a terminal of that size, with what the terminal was sent. */
async function aBoard(
  { columns = 80, rows = 24, phases = clusterApi.phases, timeline = true }: Size,
  env = { NO_COLOR: '1' },
  others: Other[] = [],
) {
  const clock = new VirtualClock(start);
  const writes: string[] = [];
  const stdout = { write: (text: string) => writes.push(text), isTTY: true, columns, rows };
  const { outside } = await anOutside({ stdout, clock, env });
  const progress = new Progress();
  const board = boardReporter(outside, { timeline });
  board.begin({
    subject: 'a test',
    url: 'http://127.0.0.1:1',
    startedAt: start,
    notes: [],
    progress,
    requests: () => [{ verb: 'get', resource: 'nodes', count: 7 }],
    others: () => others,
  });
  const tell = (change: Change): void => {
    progress.add(change, phases);
    board.changed(change);
  };
  return { clock, writes, board, tell, progress };
}

const began = (machine: string): Change => ({ time: start, machine, phase: 'drain', event: 'deleting' });

/** The lines of the last drawing, without what moves the cursor and erases. */
const drawn = (write: string | undefined): string[] => {
  const [, ...parts] = (write ?? '').split('\u001B[');
  return (parts.at(-1) ?? '')
    .replace(/^(\?25l|J)/, '')
    .trimEnd()
    .split('\n');
};

describe('the board', () => {
  it('shows where a Machine is, what it waits for and why', async () => {
    const { clock, writes, tell } = await aBoard({ columns: 100 });
    tell(began('fleet/worker-1'));
    tell({ ...began('fleet/worker-1'), event: 'evicted', pod: 'shop/web-1' });
    const message =
      'Drain not completed yet (started at 2026-01-01T00:00:00Z):\n* Pod shop/web-1: stays\n* Pod shop/web-2: too';
    tell({ ...began('fleet/worker-1'), event: 'waits', reason: 'DrainingNode', message });
    await clock.advance(2_000);
    expect(drawn(writes.at(-1))).toEqual([
      'fleet/worker-1  drain for 2.0 s  1 evicted',
      '  – pre-drain   ● drain   ○ volume-detach   ○ pre-terminate   ○ infrastructure   ○ bootstrap',
      '  ○ node   ○ finalize',
      '  DrainingNode',
      '    Pod shop/web-1: stays',
      '    Pod shop/web-2: too',
      '',
      '2.0 s  7 requests',
    ]);
  });

  it('shows lines of ours after those of the peer, too', async () => {
    const { clock, writes, tell } = await aBoard({ columns: 100 });
    tell(began('fleet/worker-1'));
    const message =
      'Drain not completed yet (started at 2026-01-01T00:00:00Z):\n* Pod shop/web-1: stays\nNode n1 is unreachable (since then): so';
    tell({ ...began('fleet/worker-1'), event: 'waits', reason: 'DrainingNode', message });
    await clock.advance(2_000);
    expect(drawn(writes.at(-1)).slice(3, 6)).toEqual([
      '  DrainingNode',
      '    Pod shop/web-1: stays',
      '    Node n1 is unreachable (since then): so',
    ]);
  });

  it("shows no phase that the Machine's API does not have", async () => {
    const { clock, writes, tell } = await aBoard({ phases: ['infrastructure', 'node', 'finalize'] });
    tell({ ...began('fleet/worker-1'), phase: 'node' });
    await clock.advance(1_000);
    expect(drawn(writes.at(-1))[1]).toBe('  – infrastructure   ● node   ○ finalize');
  });

  it.each([
    ['in one namespace', 'fleet', 'others: fleet/worker-4 Pending, worker-3 Running…'],
    ['in several namespaces', 'other', 'others: fleet/worker-4 Pending, fleet/worker-3 R…'],
  ])('names Machines %s that nobody deletes, the newest first', async (_where, namespace, line) => {
    const others = [
      { machine: `${namespace}/worker-2`, phase: 'Running' },
      { machine: 'fleet/worker-3', phase: 'Running' },
      { machine: 'fleet/worker-4', phase: 'Pending' },
    ];
    const { clock, writes } = await aBoard({ columns: 50 }, { NO_COLOR: '1' }, others);
    await clock.advance(1_000);
    expect(drawn(writes.at(-1))).toEqual([line, '1.0 s  7 requests']);
  });

  it('draws many changes at once', async () => {
    const { clock, writes, tell } = await aBoard({});
    await clock.advance(200);
    const before = writes.length;
    for (let i = 0; i < 50; i += 1) tell(began(`fleet/worker-${i}`));
    await clock.advance(40);
    expect(writes.length - before).toBe(1);
  });

  it('erases what it drew before, line by line', async () => {
    const { clock, writes, tell } = await aBoard({});
    tell(began('fleet/worker-1'));
    await clock.advance(300);
    await clock.advance(300);
    const height = drawn(writes.at(-1)).length;
    expect(writes.at(-1)).toContain(`\u001B[${height}A\u001B[J`);
  });

  it.each([
    ['one line for each Machine where there is no room', { rows: 12 }, 30, 11],
    ['24 rows where the terminal does not say', { rows: 0, columns: 0 }, 30, 23],
  ])('takes %s', async (_sentence, size, machines, height) => {
    const { clock, writes, tell } = await aBoard(size);
    for (let i = 0; i < machines; i += 1) tell(began(`fleet/worker-${i}`));
    await clock.advance(300);
    const lines = drawn(writes.at(-1));
    expect(lines.length).toBeLessThanOrEqual(height);
    expect(lines[0]).toBe('fleet/worker-0           drain            0.3 s');
    expect(lines.at(-2)).toMatch(/^\.\.\. and \d+ more$/);
  });

  it('is never wider than the terminal', async () => {
    const { clock, writes, tell } = await aBoard({ columns: 40 });
    tell(began(`fleet/${'long-'.repeat(20)}name`));
    tell({
      ...began(`fleet/${'long-'.repeat(20)}name`),
      event: 'waits',
      reason: 'DrainingNode',
      message: 'x'.repeat(99),
    });
    await clock.advance(300);
    expect(Math.max(...drawn(writes.at(-1)).map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  it.each([
    [
      'in full',
      { rows: 24 },
      4,
      '    spec.labels: In…missing machine.openshift.io/cluster-api-cluster label.',
    ],
    [
      'in brief',
      { rows: 4 },
      0,
      'openshift/worker-1       drain            0.3 s  …missing machine.openshif…',
    ],
  ])(
    'shows what is wrong with an invalid Machine at the end of its line, %s',
    async (_how, size, at, line) => {
      const { clock, writes, tell } = await aBoard({ ...size, columns: 76 });
      const labels = { 'machine.openshift.io/cluster-api-machine-role': 'worker', zone: 'eu-central-1a' };
      const message = `spec.labels: Invalid value: ${JSON.stringify(labels)}: missing machine.openshift.io/cluster-api-cluster label.`;
      tell({ ...began('openshift/worker-1'), event: 'waits', reason: 'FailedValidate', message });
      await clock.advance(300);
      expect(drawn(writes.at(-1))[at]).toBe(line);
    },
  );

  it('leaves the timeline and the cursor behind', async () => {
    const { clock, writes, board, tell, progress } = await aBoard({});
    tell(began('fleet/worker-1'));
    await clock.advance(1_000);
    progress.gone('fleet/worker-1', clock.now());
    board.gone(progress.journeys[0]!);
    board.end([]);
    board.close();
    expect(writes.join('')).toContain('fleet/worker-1 is gone after 1.0 s');
    expect(writes.join('')).toContain('7 requests to the API server: 7 get');
    expect(writes.at(-1)?.endsWith('\u001B[?25h')).toBe(true);
  });

  it('says of a Machine that is gone, and of one that is left, one line where there is to be no timeline', async () => {
    const { clock, writes, board, tell, progress } = await aBoard({ timeline: false });
    tell(began('fleet/worker-1'));
    tell(began('fleet/worker-2'));
    await clock.advance(1_000);
    progress.gone('fleet/worker-1', clock.now());
    board.gone(progress.journeys[0]!);
    expect(drawn(writes.at(-1))[0]).toBe('fleet/worker-1 is gone after 1.0 s');
    expect(drawn(writes.at(-1))[1]).toMatch(/^fleet\/worker-2  drain for 1\.0 s/);
    board.end([progress.journeys[1]!]);
    expect(writes.slice(-2).flatMap((write) => drawn(write)[0])).toEqual([
      'fleet/worker-2 is still there after 1.0 s',
      '7 requests to the API server: 7 get',
    ]);
  });

  it('is coloured unless the user does not want that', async () => {
    const { clock, writes, tell } = await aBoard({}, { NO_COLOR: '' });
    tell(began('fleet/worker-1'));
    await clock.advance(300);
    expect(writes.at(-1)).toContain('\u001B[1mfleet/worker-1\u001B[22m');
  });
});
