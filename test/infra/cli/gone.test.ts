import { describe, expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { aMachine, anEntry, aStore, clock, firstUid, secondUid } from './history/a-store.ts';
import { anOutside, phaseout } from './outside.ts';

const places = ['--example', 'capi'];

async function explainGone(...args: string[]) {
  const { outside, written } = await anOutside({ clock });
  const code = await main(['explain', 'fleet/worker-9', ...places, ...args], outside);
  const [missing, ...said] = written.stderr.trimEnd().split('\n');
  expect({ code, stdout: written.stdout }).toEqual({ code: 1, stdout: '' });
  expect(missing).toMatch(/^phaseout: there is no Machine fleet\/worker-9/);
  return said;
}

describe('explain of a Machine that is gone', () => {
  it('says how its deletion ended, after how long, and which command has all of it', async () => {
    const { store, endpoint } = await aStore();
    const over = { what: 'completed', phase: 'finalize', message: 'Deletion completed' } as const;
    await store.appendHistory(aMachine(firstUid, 'worker-9'), [anEntry(200)]);
    await store.appendHistory(aMachine(secondUid, 'worker-9'), [anEntry(12), anEntry(2, over)]);
    expect(await explainGone('--endpoint', endpoint)).toEqual([
      `The last Machine of this name, UID ${secondUid}: Deletion completed at 2026-11-27 11:58:00 UTC, 10 min after the first entry`,
      `Its history: phaseout history fleet/worker-9 --endpoint ${endpoint}`,
    ]);
  });

  it('says so where no end of its deletion is known', async () => {
    const { store, endpoint } = await aStore();
    await store.appendHistory(aMachine(firstUid, 'worker-9'), [anEntry(12, { message: 'Pods are left' })]);
    expect((await explainGone('--endpoint', endpoint))[0]).toBe(
      `The last Machine of this name, UID ${firstUid}: no end of its deletion is known. The last entry is of 2026-11-27 11:48:00 UTC: drain waited, DrainingNode: Pods are left`,
    );
  });

  it('says so where the history has none of that name', async () => {
    const { endpoint } = await aStore();
    expect(await explainGone('--endpoint', endpoint)).toEqual([
      `The history has no Machine of this name: table phaseout (${endpoint})`,
    ]);
  });

  it('points to the history where that cannot be read', async () => {
    expect(await explainGone('--endpoint', 'http://127.0.0.1:1', '--table', 't')).toEqual([
      'If it is gone, its history says how: phaseout history fleet/worker-9 --table t --endpoint http://127.0.0.1:1',
    ]);
  });

  it('says nothing of a history where manifests have none', async () => {
    const { code, stderr } = await phaseout('explain', 'fleet/worker-9', ...places);
    expect(code).toBe(1);
    expect(stderr).not.toContain('history');
  });
});
