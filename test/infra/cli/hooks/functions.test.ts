import { describe, expect, test } from 'vitest';
import { functionLines } from '../../../../infra/cli/hooks/functions.ts';
import { main } from '../../../../infra/cli/main.ts';
import type { FunctionRow } from '../../../../shared/explain/hooks/functions.ts';
import { hooksAnnotation, serializeAsked } from '../../../../shared/hooks/asked.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { anAsked } from '../../../builders/asked.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../../builders/dump.ts';
import { anOutside, parsed } from '../outside.ts';

const now = Date.parse('2026-11-27T12:00:00Z');
const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'a', uid: 'uid-a' };
const aRow = (parts: Partial<FunctionRow> = {}): FunctionRow => ({
  machine,
  hook: 'take-out-osd',
  place: 'PreDrain',
  attempt: 4,
  since: '2026-11-27T11:48:00Z',
  after: 'waits on',
  ...parts,
});

const lines = (...rows: FunctionRow[]): string[] =>
  functionLines(
    rows,
    { now, labelOf: ({ machine: { namespace, name } }) => `${namespace}/${name}` },
    (_style, text) => text,
  );

test('nothing is said where no Machine waits for a function', () => {
  expect(lines()).toEqual([]);
});

test('each function has its last words, who can help, and what comes after its time', () => {
  const silent = {
    state: 'Failed',
    message: 'no quorum',
    contact: '#storage',
    runbook: 'https://runbooks.example/osd',
    silentSince: '2026-11-27T11:55:00Z',
    overSince: '2026-11-27T11:50:00Z',
    after: 'holds',
  } as const;
  expect(lines(aRow(silent), aRow({ hook: 'b' }))).toEqual([
    '',
    '2 functions asked before a deletion goes on',
    '  MACHINE  DELETIONHOOK  PLACE     FOR     CALLS  SAYS                                                                                          CONTACT   AFTER ITS TIME',
    '  fleet/a  take-out-osd  PreDrain  12 min  4      Failed: no quorum, silent since 2026-11-27T11:55:00Z, its time ended at 2026-11-27T11:50:00Z  #storage  holds',
    '  fleet/a  b             PreDrain  12 min  4      no answer yet                                                                                 -         waits on',
    '  https://runbooks.example/osd',
  ]);
});

/** What `phaseout hooks` says at noon of a dump with one Machine, which waits for a silent function. */
async function hooks(...args: string[]): Promise<string> {
  const { outside, written, folder } = await anOutside({ clock: { ...systemClock, now: () => now } });
  const asked = anAsked({
    begin: '2026-11-27T11:48:00Z',
    said: { state: 'Working', message: 'moving 3 volumes', at: '2026-11-27T11:50:00Z' },
    silentSince: '2026-11-27T11:55:00Z',
    contact: '#storage',
    timeoutSeconds: 7_200,
    onTimeout: 'Proceed',
  });
  const waiting = aMachine('a', {
    metadata: {
      deletionTimestamp: '2026-11-27T11:47:00Z',
      annotations: { [hooksAnnotation]: serializeAsked('machine-a', [asked]) },
    },
  });
  const dump = await aDump(folder, [waiting, anAwsMachine('a'), aNode('a')]);
  expect(await main(['hooks', '--load', dump, ...args], outside)).toBe(0);
  return written.stdout;
}

describe('phaseout hooks', () => {
  test('lists the functions that Machines wait for', async () => {
    expect((await hooks()).trimEnd().split('\n')).toEqual([
      'No Machine has a hook of its Machine API',
      '',
      '1 function asked before a deletion goes on',
      '  MACHINE  DELETIONHOOK  PLACE     FOR     CALLS  SAYS                                                          CONTACT   AFTER ITS TIME',
      '  fleet/a  move-data     PreDrain  12 min  25     Working: moving 3 volumes, silent since 2026-11-27T11:55:00Z  #storage  goes on',
    ]);
  });

  test('has the same as data', async () => {
    expect(parsed<{ functions: unknown }>(await hooks('-o', 'json')).functions).toEqual([
      {
        machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'a', uid: 'machine-a' },
        hook: 'move-data',
        place: 'PreDrain',
        attempt: 25,
        since: '2026-11-27T11:48:00Z',
        state: 'Working',
        message: 'moving 3 volumes',
        silentSince: '2026-11-27T11:55:00Z',
        contact: '#storage',
        after: 'goes on',
      },
    ]);
    expect(await hooks('-o', 'yaml')).toContain('message: moving 3 volumes');
  });
});
