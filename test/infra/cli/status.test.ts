import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../../infra/cli/main.ts';
import { inOneScreen, statusText } from '../../../infra/cli/status/report.ts';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import { standingOf } from '../../../shared/explain/status-of.ts';
import { aDump } from '../../builders/dump.ts';
import { recording } from '../../shared/dialects/capi/golden.ts';
import { now, ofClusterApi, shows } from '../../shared/explain/standings.ts';
import { aMachine, aStore, clock } from './history/a-store.ts';
import { anOutside, parsed, phaseout } from './outside.ts';

const recorded = (name: string): string => join(import.meta.dirname, `../../golden/capi/${name}.yaml`);

interface Answer {
  machines: DeletionStatus[];
  notes: string[];
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
    expect(lines[0]?.split(/ {2,}/)).toEqual(['STATE', 'MACHINE', 'PHASE', 'WAITS FOR', 'TO ACT', 'FOR']);
    expect(lines[1]?.replace(/\d+ d/, 'N d').split(/ {2,}/)).toEqual([
      'held',
      'capi-bench/g-pdb-yam8',
      'drain',
      "DrainingNode: Pods bench/g-pdb-yam8-78qks, bench/g-pdb-yam8-bzvlm, bench/g-pdb-yam8-d4l6z, ... (7 more): cannot evict pod as it would violate the pod's disruption budget. The disruption budget g-pdb-yam8 needs 10 healthy pods and has 10 currently",
      'the owner of PodDisruptionBudget bench/g-pdb-yam8',
      'N d',
    ]);
    expect(lines[2]).toBe('1 Machine is being deleted: 1 held');
    const path = recorded('20-draining-pdb-blocked');
    expect(lines[3]).toBe(`Go on with: phaseout explain capi-bench/g-pdb-yam8 --load ${path}`);
    expect(lines).toHaveLength(4);
  });

  it('tells of groups, and counts all at the end', async () => {
    const { lines } = await phaseout(
      'status',
      '--by',
      'blocker',
      '--load',
      recorded('20-draining-pdb-blocked'),
    );
    expect(lines.slice(0, 3).map((line) => line.replace(/\d+ d/, 'N d').split(/ {2,}/))).toEqual([
      ['BLOCKER', 'MACHINES', 'HELD', 'LATE', 'OLDEST', 'WHICH'],
      [
        'PodDisruptionBudget bench/g-pdb-yam8, in cluster capi-bench/peer',
        '1',
        '1',
        '0',
        'N d',
        'capi-bench/g-pdb-yam8',
      ],
      ['1 Machine is being deleted: 1 held'],
    ]);
  });

  it('has the groups as data, too, and no table of none', async () => {
    const { stdout } = await phaseout(
      'status',
      '--by',
      'phase',
      '-o',
      'json',
      '--load',
      recorded('80-paused'),
    );
    expect(parsed<{ groups: { name: string }[] }>(stdout).groups.map(({ name }) => name)).toEqual([
      'not shown',
    ]);
    const none = await phaseout('status', '--by', 'owner', '--example', 'openshift');
    expect(none.stdout).toBe('no Machine is being deleted\n');
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

  it('is a document of YAML when asked for, with the notes inside', async () => {
    const path = recorded('20-draining-pdb-blocked');
    const { stdout, stderr } = await phaseout('status', '--load', path, '-o', 'yaml');
    expect({ first: stdout.split('\n').slice(0, 2), stderr }).toEqual({
      first: ['machines:', '  - machine:'],
      stderr: '',
    });
    const json = await phaseout('status', '--load', path, '-o', 'json');
    expect(Object.keys(parse(stdout))).toEqual(['machines', 'notes', 'unread']);
    expect(parse(stdout).notes).toEqual(parsed<Answer>(json.stdout).notes);
  });

  it('has what is said beside it on the other stream', async () => {
    const { stdout, stderr } = await phaseout('status', '--load', recorded('80-paused'));
    expect(stdout).not.toContain('not in the manifests');
    expect(stderr.split('\n')[0]).toMatch(/^not in the manifests, so assumed to be there: /);
  });

  it.each([
    ['the program', {}, 'phaseout'],
    ['kubectl', { isPlugin: true }, 'kubectl phaseout'],
    [
      'npm',
      { env: { npm_package_name: 'phaseout', npm_lifecycle_event: 'phaseout' } },
      'npm run phaseout --',
    ],
  ])('ends with the command to go on with, as it is typed with %s', async (_what, given, typed) => {
    const { outside, folder, written } = await anOutside(given);
    const path = await aDump(folder, [ofClusterApi({ checkpoint: {} })]);
    await main(['status', '--load', path], outside);
    expect(written.stdout.trimEnd().split('\n').at(-1)).toBe(
      `Go on with: ${typed} explain prod/md-1 --load ${path}`,
    );
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
    [
      'a grouping that there is not',
      ['--by', 'node'],
      '--by takes one of blocker, owner, cluster, phase, not "node"',
    ],
    ['an order that there is not', ['--sort', 'size'], '--sort takes one of worst, age, name, not "size"'],
    ['a Machine', ['fleet/worker-1'], 'unexpected argument "fleet/worker-1"'],
    ['an empty namespace', ['-n', ''], '--namespace takes the name of a namespace'],
  ])('refuses %s', async (_what, args, message) => {
    const { code, stderr } = await phaseout('status', '--example', 'capi', ...args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `phaseout: ${message}\nTry: phaseout status --help\n`,
    });
  });
});

/** The next look of the first Machine in the list. */
const cellIn = async (endpoint: string): Promise<string | undefined> => {
  const { outside, written } = await anOutside({ clock });
  const path = recorded('20-draining-pdb-blocked');
  await main(['status', '-o', 'wide', '--load', path, '--endpoint', endpoint], outside);
  return written.stdout.split('\n')[1]?.split(/ {2,}/)[6];
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
    expect(await main(['status', '-o', 'wide', ...args], outside)).toBe(0);
    expect(written.stdout.split('\n')[1]).toContain('within 20 s');
    expect(written.stdout).not.toContain('not read');
    expect(written.stderr.trimEnd()).toMatch(
      /\nnot read: when Machines are looked at next, by --table, --endpoint, --region: DynamoDB table phaseout: .*ECONNREFUSED/,
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
    const drawn = written.stdout.slice(written.stdout.lastIndexOf('held  '));
    const shown = drawn.split('\n').slice(0, 8);
    expect(shown.every((line) => line.length < 60)).toBe(true);
    expect(shown.slice(0, 6).map((line) => line.replace(/\d+ d$/, 'N d'))).toEqual([
      'held  capi-bench/g-paused-yam8  not shown',
      '  WAITS FOR  Paused: Machine has the',
      '             cluster.x-k8s.io/paused annotation',
      '  TO ACT     an operator: it is paused',
      '  FOR        < N d',
      '1 Machine is being deleted: 1 held',
    ]);
  });
});

const paint = (_style: unknown, text: string): string => text;
const label = ({ machine }: DeletionStatus): string => machine.name;

const rowOf = (machine: Parameters<typeof standingOf>[0]): string[] | undefined => {
  const standing = standingOf(machine, { now });
  return standing && statusText([standing], { now, paint, label, isWide: true }).rows[1]?.split(/ {2,}/);
};

describe('the list in one screen', () => {
  it('is whole where there is room', () => {
    expect(inOneScreen(['a', 'b'], ['end'], 3)).toEqual(['a', 'b', 'end']);
  });

  it('keeps what comes after the rows, and says how much of them is left out', () => {
    expect(inOneScreen(['a', 'b', 'c', 'd'], ['end'], 4)).toEqual(['a', 'b', '… 2 more lines', 'end']);
  });
});

describe('a row of the status', () => {
  it('has in short what ends a long message, and all of it when asked for', () => {
    const message = `Machine is invalid: ${'x'.repeat(300)}: spec.providerID: Required value`;
    const standing = standingOf(ofClusterApi({ checkpoint: {}, status: shows('FailedValidate', message) }), {
      now,
    })!;
    const [, short] = statusText([standing], { now, paint, label }).rows;
    expect(short).toMatch(/Machine is invalid: x+ … x+: spec\.providerID: Required value {2}/);
    const [, wide] = statusText([standing], { now, paint, label, isWide: true }).rows;
    expect(wide).toContain(message);
  });

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
      'DrainingNode: x',
      'phaseout',
      '8 min',
      'within 20 s',
      'in 2 min',
    ]);
  });

  it('says at most how long, where the phase does not say since when', () => {
    const [, , phase, , , lasts] = rowOf(ofClusterApi()) ?? [];
    expect([phase, lasts]).toEqual(['not shown', '< 10 min']);
  });

  it('says of a limit that is over that it is due', () => {
    const machine = ofClusterApi({
      spec: { deletion: { nodeDeletionTimeoutSeconds: 60 } },
      status: shows('DeletingNode', 'Deleting'),
    });
    expect(rowOf(machine)?.slice(6, 8)).toEqual(['-', 'due']);
  });

  it('shows nothing that a terminal would obey', () => {
    const machine = ofClusterApi({ checkpoint: {}, status: shows('DrainingNode', 'a\u001b[31mb') });
    expect(rowOf(machine)?.[3]).toBe('DrainingNode: a\ufffd[31mb');
  });

  it('is there for each recording of a deletion', () => {
    expect(rowOf(recording('40-pre-terminate-hook').machine)?.slice(0, 3)).toEqual([
      'held',
      'g-preterm-yam8',
      'pre-terminate',
    ]);
  });
});
