import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import { aMachine, anEntry, anEviction, aStore, clock } from './history/a-store.ts';
import { anOutside, parsed } from './outside.ts';

const recorded = join(import.meta.dirname, '../../golden/capi/20-draining-pdb-blocked.yaml');

/** Of the Machine in the recording. */
const uid = 'fbb634a5-d1cf-4978-b82c-c0439e21e496';

const explained = async (...args: string[]) => {
  const { outside, written } = await anOutside({ clock });
  const code = await main(['explain', 'capi-bench/g-pdb-yam8', '--load', recorded, ...args], outside);
  const [lines, said] = [written.stdout, written.stderr].map((text) => text.trimEnd().split('\n'));
  return { code, stdout: written.stdout, lines: lines ?? [], said: said ?? [] };
};

const under = (heading: string, lines: readonly string[]): string[] =>
  lines.slice(lines.indexOf(heading) + 1);

const refused = { cause: 'BudgetExhausted', text: 'it needs 10', budget: 'bench/g-pdb-yam8' } as const;

describe('what was tried with a Machine of a recording', () => {
  test('is told after what to do, the last of it and the Pods that were refused last', async () => {
    const { store, endpoint } = await aStore();
    const machine = aMachine(uid);
    await store.appendHistory(
      machine,
      [7, 6, 5, 4, 3, 2, 1].map((minutes) => anEntry(minutes, { message: `${minutes} Pods are left` })),
    );
    const tries = [1, 2, 3, 4, 5].map((n) =>
      anEviction(n, { podUid: `p-${n}`, name: `web-${n}`, outcome: 'refused', refusal: refused }),
    );
    const gone = anEviction(1, { podUid: 'p-9', name: 'web-9' });
    await Promise.all([...tries, gone].map((eviction) => store.recordEvictions(machine, [eviction])));
    const { code, lines } = await explained('--endpoint', endpoint);
    expect(code).toBe(4);
    expect(under('What was tried', lines)).toEqual([
      '  2026-11-27 11:55:00  drain  waited  DrainingNode: 5 Pods are left',
      '  2026-11-27 11:56:00  drain  waited  DrainingNode: 4 Pods are left',
      '  2026-11-27 11:57:00  drain  waited  DrainingNode: 3 Pods are left',
      '  2026-11-27 11:58:00  drain  waited  DrainingNode: 2 Pods are left',
      '  2026-11-27 11:59:00  drain  waited  DrainingNode: 1 Pods are left',
      '  2026-11-27 11:57:00  shop/web-3  refused  1 attempt  refused 1 × BudgetExhausted',
      '  2026-11-27 11:58:00  shop/web-2  refused  1 attempt  refused 1 × BudgetExhausted',
      '  2026-11-27 11:59:00  shop/web-1  refused  1 attempt  refused 1 × BudgetExhausted',
      '  the last of 7 entries and 5 refused Pods: phaseout history has all',
    ]);
  });

  test('is all there as JSON', async () => {
    const { store, endpoint } = await aStore();
    await store.appendHistory(aMachine(uid), [anEntry(2), anEntry(1, { what: 'acted' })]);
    await store.recordEvictions(aMachine(uid), [anEviction(1)]);
    const { stdout } = await explained('--endpoint', endpoint, '-o', 'json');
    const { tried, triedWithPods, unread } = parsed<Explanation & { triedWithPods: object[] }>(stdout);
    expect(tried?.map(({ at, what }) => [at, what])).toEqual([
      ['2026-11-27T11:58:00Z', 'waited'],
      ['2026-11-27T11:59:00Z', 'acted'],
    ]);
    expect(triedWithPods).toMatchObject([{ name: 'web-1', lastAttempt: '2026-11-27T11:59:00.000Z' }]);
    expect(unread).toEqual([]);
  });

  test('holds the answer up for some seconds at most where a store is silent', async () => {
    const silent = createServer();
    const endpoint = await listenLocally(silent);
    onTestFinished(() => void silent.close());
    const { outside, written } = await anOutside();
    const args = ['--load', recorded, '--endpoint', endpoint];
    expect(await main(['explain', 'capi-bench/g-pdb-yam8', ...args], outside)).toBe(4);
    expect(written.stderr.trimEnd().split('\n').at(-1)).toBe(
      'not read: history, by --table, --endpoint, --region: DynamoDB table phaseout: no answer within 8000 ms',
    );
  });

  test('is said to be nothing where the store was read and has nothing', async () => {
    const { endpoint } = await aStore();
    const { lines } = await explained('--endpoint', endpoint);
    expect(under('What was tried', lines)).toEqual(['  the history has nothing of it']);
  });

  test('is not said to be nothing where no store was read, and changes no verdict', async () => {
    const { code, stdout, said } = await explained();
    expect(code).toBe(4);
    expect(stdout).not.toContain('What was tried');
    expect(said.slice(-2)).toEqual([
      'not read: history, by --table, --endpoint, --region: none of them is given',
      'not read: history, by --load: there are Machines in it, and no history: that is in the store of who deletes them',
    ]);
    const { stdout: json } = await explained('-o', 'json');
    expect(parsed<Explanation>(json)).toMatchObject({ verdict: 'held', unread: said.slice(-2) });
    expect(parsed<Explanation>(json)).not.toHaveProperty('tried');
  });
});
