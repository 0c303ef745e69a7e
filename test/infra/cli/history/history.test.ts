import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { parsed } from '../outside.ts';
import { aMachine, anEntry, anEviction, aStore, firstUid, history, secondUid } from './a-store.ts';

/** Two Machines that had one name one after the other, and one of another name. */
async function aFleet() {
  const opened = await aStore();
  const { store } = opened;
  await store.appendHistory(aMachine(firstUid), [
    anEntry(180),
    anEntry(150, { id: '2', what: 'advanced', reason: 'overdue', message: 'the time limit is over' }),
    anEntry(140, { id: '3', phase: 'finalize', what: 'completed', message: 'Deletion completed' }),
  ]);
  await store.recordEvictions(aMachine(firstUid), [
    anEviction(170),
    anEviction(170, { podUid: 'b', name: 'web-2' }),
  ]);
  await store.appendHistory(aMachine(secondUid), [
    anEntry(30, { what: 'acted', message: 'Cordoning Node node-2', node: 'node-2' }),
    anEntry(20, { id: '2', by: 'phaseout-2', node: 'node-2' }),
  ]);
  const refusal = { cause: 'BudgetExhausted', text: 'Cannot evict pod', budget: 'web' } as const;
  await store.recordEvictions(aMachine(secondUid), [
    anEviction(25, { outcome: 'refused', refusal }),
    anEviction(22, { outcome: 'refused', refusal }),
  ]);
  const other = '33333333-3333-4333-8333-333333333333';
  await store.appendHistory(aMachine(other, 'worker-1', 'machine.openshift.io/v1beta1'), [anEntry(200)]);
  return opened;
}

const text = (value: string) => ({ S: value });

const uidsIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^Machine .* UID (.*)$/.exec(line)?.[1] ?? []);

describe('phaseout history', () => {
  test('tells Machines that had one name apart, the newest first', async () => {
    const { endpoint } = await aFleet();
    const { code, lines, said } = await history(['capi:fleet/worker-1', '--endpoint', endpoint]);
    expect(lines).toEqual([
      `Machine fleet/worker-1 of cluster.x-k8s.io/v1beta2, UID ${secondUid}`,
      '  since 2026-11-27 11:30:00 UTC, no end is known; the last entry is of 2026-11-27 11:40:00 UTC',
      '  Node node-2, told by phaseout-1, phaseout-2',
      '  2026-11-27 11:30:00  drain  acted   phaseout-1  Cordoning Node node-2',
      '  2026-11-27 11:40:00  drain  waited  phaseout-2  DrainingNode: Pod shop/web-1: waits',
      '  Pods that were to go',
      '    2026-11-27 11:38:00  shop/web-1  refused  2 attempts  refused 2 × BudgetExhausted: Cannot evict pod',
      '',
      `Machine fleet/worker-1 of cluster.x-k8s.io/v1beta2, UID ${firstUid}`,
      '  from 2026-11-27 09:00:00 to 2026-11-27 09:40:00 UTC, 40 min, to its end',
      '  Node node-1, told by phaseout-1',
      '  2026-11-27 09:00:00  drain     waited     DrainingNode: Pod shop/web-1: waits',
      '  2026-11-27 09:30:00  drain     advanced   overdue: the time limit is over',
      '  2026-11-27 09:40:00  finalize  completed  Deletion completed',
      '  Pods that were to go',
      '    2026-11-27 09:10:00  shop/web-1  evicted  1 attempt',
      '    2026-11-27 09:10:00  shop/web-2  evicted  1 attempt',
    ]);
    expect({ code, said }).toEqual({ code: 0, said: [''] });
  });

  test.each([
    [['fleet/worker-1'], [secondUid, firstUid, '33333333-3333-4333-8333-333333333333']],
    [['openshift:fleet/worker-1'], ['33333333-3333-4333-8333-333333333333']],
    [[firstUid], [firstUid]],
    [[firstUid.toUpperCase()], [firstUid]],
    [['--node', 'node-2'], [secondUid]],
    [
      ['--pod', 'shop/web-1'],
      [secondUid, firstUid],
    ],
    [['--pod', 'shop/web-2'], [firstUid]],
    [['--since', '2h'], [secondUid]],
    [
      ['--since', '2h30m'],
      [secondUid, firstUid],
    ],
    [['fleet/worker-1', '--since', '2h'], [secondUid]],
    [
      ['--node', 'node-1', '--since', '3d'],
      [firstUid, '33333333-3333-4333-8333-333333333333'],
    ],
  ])('%j finds %j', async (args, uids) => {
    const { endpoint } = await aFleet();
    const { code, lines } = await history([...args, '--endpoint', endpoint]);
    expect({ code, uids: uidsIn(lines) }).toEqual({ code: 0, uids });
  });

  test('of a Pod it says what came of it, and nothing of the others', async () => {
    const { endpoint } = await aFleet();
    const { lines } = await history(['--pod', 'shop/web-2', '--endpoint', endpoint]);
    expect(lines.filter((line) => line.startsWith('    '))).toEqual([
      '    2026-11-27 09:10:00  shop/web-2  evicted  1 attempt',
    ]);
  });

  test('as JSON it has all of it, with times that people read', async () => {
    const { endpoint } = await aFleet();
    const { lines } = await history([secondUid, '--since', '22m', '--endpoint', endpoint, '-o', 'json']);
    expect(parsed(lines.join(''))).toEqual({
      where: `table phaseout (${endpoint})`,
      histories: [
        {
          machine: aMachine(secondUid),
          entries: [
            {
              at: '2026-11-27T11:40:00.000Z',
              id: '2',
              phase: 'drain',
              what: 'waited',
              reason: 'DrainingNode',
              message: 'Drain not completed yet (started at 2026-11-27T10:00:00Z):\n* Pod shop/web-1: waits',
              by: 'phaseout-2',
              node: 'node-2',
            },
          ],
          pods: [
            {
              podUid: 'pod-1',
              namespace: 'shop',
              name: 'web-1',
              attempts: 2,
              refusals: { BudgetExhausted: 2 },
              firstAttempt: '2026-11-27T11:35:00.000Z',
              lastAttempt: '2026-11-27T11:38:00.000Z',
              outcome: 'refused',
              lastRefusal: { cause: 'BudgetExhausted', text: 'Cannot evict pod', budget: 'web' },
            },
          ],
        },
      ],
    });
  });

  test('what the table does not have is said, with where it looked', async () => {
    const { endpoint } = await aFleet();
    const missing = await history(['fleet/worker-9', '--endpoint', endpoint]);
    expect(missing).toEqual({
      code: 1,
      lines: [''],
      said: [
        `phaseout: table phaseout (${endpoint}) has no history of Machine fleet/worker-9. It is kept for 30 days; that of a deletion by an older version is found by the UID of the Machine only`,
      ],
    });
    const none = '44444444-4444-4444-8444-444444444444';
    expect((await history([none, '--endpoint', endpoint])).said).toEqual([
      `phaseout: table phaseout (${endpoint}) has no history of the Machine of UID ${none}. It is kept for 30 days`,
    ]);
    const json = await history(['--node', 'node-9', '--endpoint', endpoint, '-o', 'json']);
    expect({ code: json.code, said: parsed(json.lines.join('')) }).toEqual({
      code: 1,
      said: { where: `table phaseout (${endpoint})`, histories: [] },
    });
  });

  test('what an older version has written is found by its UID only', async () => {
    const { client, endpoint } = await aStore();
    const machine = Object.fromEntries(
      Object.entries(aMachine(firstUid)).map(([name, value]) => [name, text(value)]),
    );
    const Item = {
      pk: text(`machine#${firstUid}`),
      sk: text('history#1'),
      machine: { M: machine },
      at: { N: String(Date.UTC(2026, 10, 27, 11)) },
      what: text('waited'),
      expires: { N: '2000000000' },
    };
    await client.send(new PutItemCommand({ TableName: 'phaseout', Item }));
    expect((await history(['fleet/worker-1', '--endpoint', endpoint])).code).toBe(1);
    const { code, lines } = await history([firstUid, '--endpoint', endpoint]);
    expect({ code, title: lines[0] }).toEqual({
      code: 0,
      title: `Machine fleet/worker-1 of cluster.x-k8s.io/v1beta2, UID ${firstUid}`,
    });
  });

  test.each([
    ['a profile that AWS knows', { AWS_PROFILE: 'of-somewhere-else' }],
    ['keys', { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-north-1' }],
  ])('a store on this machine is read whether there is %s or not', async (_, env) => {
    const { endpoint } = await aFleet();
    expect((await history([firstUid, '--endpoint', endpoint], env)).code).toBe(0);
  });

  test('a table of another name is asked', async () => {
    const { store, endpoint } = await aStore('blue');
    await store.appendHistory(aMachine(firstUid), [anEntry(1)]);
    expect((await history(['fleet/worker-1', '--endpoint', endpoint, '--table', 'blue'])).code).toBe(0);
    expect(await history(['fleet/worker-1', '--endpoint', endpoint])).toEqual({
      code: 3,
      lines: [''],
      said: [
        'phaseout: the history was not read',
        '  --table, --endpoint, --region: DynamoDB table phaseout: it is not there, or not yet, in this account and region; the image creates it when it is run with the argument "table"',
      ],
    });
  });
});
