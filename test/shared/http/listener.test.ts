import { afterEach, describe, expect, test } from 'vitest';
import type { CloudEvent } from '../../../events/envelope.ts';
import { defineListener } from '../../../shared/http/function.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { logLines } from './log-lines.ts';
import { type Call, type Client, transports } from './transports.ts';

const foreign = {
  headers: { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': 's', 'ce-type': 'com.example.thing' },
  body: '',
};

const fails = () => Promise.reject(new Error('the store is mistaken'));

describe.each(transports)('a listener %s', (_name, start) => {
  let client: Client | undefined;
  afterEach(() => client?.close());

  async function told(call: Call, hear: (event: CloudEvent) => Promise<void> = async () => undefined) {
    const heard: string[] = [];
    const { lines, log } = logLines();
    const listener = defineListener(async (event) => {
      heard.push(event.type);
      await hear(event);
    });
    const options = { clock: systemClock, log, requestTimeoutSeconds: 5, bodyLimitBytes: 1_000 };
    client = await start({ '/echo': listener }, options);
    const { status, body } = await client.call(call);
    return { answer: { status, body }, heard, complaints: lines.map(({ msg }) => msg) };
  }

  const empty = { status: 204, body: '' };

  test('takes an event of any type', async () => {
    expect(await told(foreign)).toEqual({ answer: empty, heard: ['com.example.thing'], complaints: [] });
  });

  test.each([
    [
      '?type=a&type=b&source=%2Fs',
      [
        ['type', 'a'],
        ['type', 'b'],
        ['source', '/s'],
      ],
    ],
    ['?a=b?c', [['a', 'b?c']]],
    ['', []],
  ])('hears what the query %j of its address says', async (query, expected) => {
    const heard: [string, string][] = [];
    const listener = defineListener(async (_event, _log, said) => void heard.push(...said));
    client = await start(
      { '/echo': listener },
      { clock: systemClock, log: logLines().log, requestTimeoutSeconds: 5 },
    );
    await client.call({ ...foreign, path: `/echo${query}` });
    expect(heard).toEqual(expected);
  });

  test.each<[string, Call]>([
    ['what is no event', { body: '{}' }],
    ['an event that lacks something', { headers: { 'ce-id': '1' } }],
    ['a body that is too large', { ...foreign, body: JSON.stringify('x'.repeat(1_000)) }],
  ])('answers %s as well: it would come back as a dead letter of its own', async (_what, call) => {
    expect(await told(call)).toEqual({ answer: empty, heard: [], complaints: ['Event was not understood'] });
  });

  test('answers although it failed', async () => {
    expect((await told(foreign, fails)).answer).toEqual(empty);
  });
});
