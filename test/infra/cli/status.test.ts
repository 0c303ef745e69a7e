import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { statusLines } from '../../../infra/cli/status/report.ts';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import { standingOf } from '../../../shared/explain/status-of.ts';
import { recording } from '../../shared/dialects/capi/golden.ts';
import { now, ofClusterApi, shows } from '../../shared/explain/standings.ts';
import { aDump } from './dump.ts';
import { aMachine, aStore, clock } from './history/a-store.ts';
import { anOutside, parsed, phaseout } from './outside.ts';

const recorded = (name: string): string => join(import.meta.dirname, `../../golden/capi/${name}.yaml`);

interface Answer {
  machines: DeletionStatus[];
  unread: string[];
}

describe('status', () => {
  it('says that nothing is being deleted in the example fleet', async () => {
    const { code, stdout } = await phaseout('status', '--example', 'openshift');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'no Machine is being deleted\n' });
  });

  it('tells of a Machine as the real controller left it', async () => {
    const { code, lines } = await phaseout('status', '--load', recorded('20-draining-pdb-blocked'));
    expect(code).toBe(0);
    expect(lines[0]?.split(/ {2,}/)).toEqual([
      'STATE',
      'MACHINE',
      'PHASE',
      'FOR',
      'TO ACT',
      'NEXT LOOK',
      'GIVEN UP',
      'WAITS FOR',
    ]);
    expect(lines[1]?.replace(/\d+ d/, 'N d').split(/ {2,}/)).toEqual([
      'held',
      'capi-bench/g-pdb-yam8',
      'drain',
      'N d',
      'the owner of PodDisruptionBudget bench/g-pdb-yam8',
      'within 20 s',
      'never',
      "DrainingNode: Pods bench/g-pdb-yam8-78qks, bench/g-pdb-yam8-bzvlm, bench/g-pdb-yam8-d4l6z, ... (7 more): cannot evict pod as it would violate the pod's disruption budget. The disruption budget g-pdb-yam8 needs 10 healthy pods and has 10 currently",
    ]);
    expect(lines[2]).toBe('1 Machine is being deleted: 1 held');
  });

  it('is one JSON object when asked for, the worst first', async () => {
    const names = ['20-draining-pdb-blocked', '50-waiting-for-infrastructure', '80-paused'];
    const paths = names.map(recorded);
    const { stdout } = await phaseout('status', '--load', ...paths, '-o', 'json');
    const { machines, unread } = parsed<Answer>(stdout);
    expect(machines.map(({ machine, state, rank }) => [machine.name, state, rank])).toEqual([
      ['g-pdb-yam8', 'held', 0],
      ['g-paused-yam8', 'held', 0],
      ['g-infra-yam8', 'late', 1],
    ]);
    expect(unread).toEqual([]);
  });

  it('lists those of one namespace where that is asked for', async () => {
    const { outside, folder, written } = await anOutside();
    const elsewhere = ofClusterApi({ checkpoint: {}, metadata: { namespace: 'test', uid: 'v' } });
    const path = await aDump(folder, [ofClusterApi({ checkpoint: {} }), elsewhere]);
    expect(await main(['status', '-n', 'test', '--load', path, '-o', 'json'], outside)).toBe(0);
    expect(parsed<Answer>(written.stdout).machines.map(({ machine }) => machine.namespace)).toEqual(['test']);
  });

  it.each([
    ['a namespace and all', ['-A', '-n', 'x'], '--all-namespaces and --namespace exclude each other'],
    ['a Machine', ['fleet/worker-1'], 'unexpected argument "fleet/worker-1"'],
    ['an empty namespace', ['-n', ''], '--namespace takes the name of a namespace'],
  ])('refuses %s', async (_what, args, message) => {
    const { code, stderr } = await phaseout('status', '--example', 'capi', ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `phaseout: ${message}\nTry: phaseout --help\n` });
  });
});

/** The next look of the first Machine in the list. */
const cellIn = async (endpoint: string): Promise<string | undefined> => {
  const { outside, written } = await anOutside({ clock });
  await main(['status', '--load', recorded('20-draining-pdb-blocked'), '--endpoint', endpoint], outside);
  return written.stdout.split('\n')[1]?.split(/ {2,}/)[5];
};

describe('the next look', () => {
  const uid = 'fbb634a5-d1cf-4978-b82c-c0439e21e496';
  const later = (seconds: number) => ({
    machine: aMachine(uid),
    at: clock.now() + seconds * 1_000,
    failures: 0,
  });

  it('is told from the store that is named, but not one for the case that an instance dies', async () => {
    const { store, endpoint } = await aStore();
    expect(await cellIn(endpoint)).toBe('within 20 s');
    await store.schedule({ ...later(40), isProvisional: true });
    expect(await cellIn(endpoint)).toBe('within 20 s');
    await store.schedule(later(90));
    expect(await cellIn(endpoint)).toBe('in 90 s');
  });

  it('is within some seconds where that store does not answer, and that is said', async () => {
    const { outside, written } = await anOutside();
    const args = ['--load', recorded('20-draining-pdb-blocked'), '--endpoint', 'http://127.0.0.1:1'];
    expect(await main(['status', ...args], outside)).toBe(0);
    const lines = written.stdout.trimEnd().split('\n');
    expect(lines[1]).toContain('within 20 s');
    expect(lines.at(-1)).toMatch(
      /^not read: when Machines are looked at next, by --table, --endpoint, --region: DynamoDB table phaseout: .*ECONNREFUSED/,
    );
  });
});

describe('the watched status', () => {
  it('is told again with each change, until it is interrupted', async () => {
    const { outside, written, folder, interrupt } = await anOutside();
    const running = main(['run', '--serve'], outside);
    await vi.waitFor(() => expect(written.stdout).toContain('Serving until Ctrl-C.'), 30_000);
    const file = join(folder, '.phaseout/kubeconfig');
    const seen = await anOutside();
    const watching = main(['status', '--watch', '--kubeconfig', file], seen.outside);
    await vi.waitFor(() => expect(seen.written.stdout).toBe('no Machine is being deleted\n'), 30_000);
    // Another process deletes it: this one only watches.
    const { outside: other } = await anOutside();
    expect(
      await main(['run', '--kubeconfig', file, '--delete', 'fleet/worker-2', '--timeout', '1'], other),
    ).toBeLessThan(2);
    await vi.waitFor(() => expect(seen.written.stdout).toContain('fleet/worker-2'), 30_000);
    seen.interrupt();
    expect(await watching).toBe(0);
    interrupt();
    await running;
  });

  it('is a board in a terminal', async () => {
    const { outside, written, interrupt } = await anOutside();
    const stdout = { ...outside.stdout, isTTY: true, columns: 60, rows: 20 };
    const watching = main(['status', '-w', '--load', recorded('80-paused')], {
      ...outside,
      stdout,
      env: { ...outside.env, NO_COLOR: '1' },
    });
    await vi.waitFor(() => expect(written.stdout).toContain('1 Machine is being deleted: 1 held'), 30_000);
    interrupt();
    expect(await watching).toBe(0);
    const shown = written.stdout.split('\n').filter((line) => line.startsWith('held'));
    expect(shown[0]).toHaveLength(59);
  });
});

const paint = (_style: unknown, text: string): string => text;
const label = ({ machine }: DeletionStatus): string => machine.name;

const rowOf = (machine: Parameters<typeof standingOf>[0]): string[] | undefined => {
  const standing = standingOf(machine, { now });
  return standing && statusLines([standing], { now, paint, label })[1]?.split(/ {2,}/);
};

describe('a row of the status', () => {
  it('has when it is looked at and given up, as far as that is known', () => {
    const machine = ofClusterApi({
      checkpoint: { reached: '2026-11-27T12:01:59Z' },
      spec: { deletion: { nodeDrainTimeoutSeconds: 600 } },
      status: shows('DrainingNode', 'x'),
    });
    expect(rowOf(machine)).toEqual([
      'progressing',
      'md-1',
      'drain',
      '8 min',
      'phaseout',
      'within 20 s',
      'in 2 min',
      'DrainingNode: x',
    ]);
  });

  it('says at most how long, where the phase does not say since when', () => {
    expect(rowOf(ofClusterApi())?.slice(2, 4)).toEqual(['not shown', '< 10 min']);
  });

  it('says of a limit that is over that it is due', () => {
    const machine = ofClusterApi({
      spec: { deletion: { nodeDeletionTimeoutSeconds: 60 } },
      status: shows('DeletingNode', 'Deleting'),
    });
    expect(rowOf(machine)?.slice(5, 7)).toEqual(['-', 'due']);
  });

  it('shows nothing that a terminal would obey', () => {
    const machine = ofClusterApi({ checkpoint: {}, status: shows('DrainingNode', 'a\u001b[31mb') });
    expect(rowOf(machine)?.at(-1)).toBe('DrainingNode: a\ufffd[31mb');
  });

  it('is there for each recording of a deletion', () => {
    expect(rowOf(recording('40-pre-terminate-hook').machine)?.slice(0, 3)).toEqual([
      'held',
      'g-preterm-yam8',
      'pre-terminate',
    ]);
  });
});
