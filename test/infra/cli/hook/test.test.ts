import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { anOutside } from '../outside.ts';
import { quickClock } from '../quick-clock.ts';
import { type Answers, good, says, serving } from './functions.ts';
import { mistakes } from './mistakes.ts';
import { tried } from './tried.ts';

test('a good function keeps to the contract', async () => {
  const { code, failed, skipped, end } = await tried(good);
  expect({ code, failed, end }).toEqual({
    code: 0,
    failed: [],
    end: { conforms: true, passed: 13, failed: 0, skipped: 1 },
  });
  expect(skipped).toMatchObject([
    { check: 'it says Done only once the work is done', why: '--proof COMMAND tells' },
  ]);
});

test('there are more than twelve mistakes', () => {
  expect(mistakes).toHaveLength(20);
});

test.each(mistakes)('a function that %s does not keep to it', async (_what, answers, check, answered) => {
  const { code, failed } = await tried(answers);
  expect(code).toBe(1);
  const [found] = failed;
  expect(found).toMatchObject({ check });
  expect(found?.answered).toContain(answered);
});

const atOnce: Answers = (heard) =>
  heard.uid === '' || heard.type !== 'dev.phaseout.hook.call.v1'
    ? good(heard)
    : says(heard.token, { state: 'Done' });

describe('Done at once', () => {
  test('may be true, and is noted', async () => {
    const { code, noted } = await tried(atOnce);
    expect({ code, noted }).toMatchObject({
      code: 0,
      noted: [{ note: 'it says Done to the first call: --proof COMMAND tells whether that is true' }],
    });
  });

  test('is a mistake where the proof says that the work is not done', async () => {
    const { code, failed } = await tried(atOnce, '--proof', 'test -e done');
    expect({ code, failed }).toMatchObject({
      code: 1,
      failed: [{ check: 'it says Done only once the work is done', answered: 'Done, and --proof fails' }],
    });
  });
});

describe('the proof', () => {
  test('agrees with Done, and is told the Machine', async () => {
    const { code, failed, skipped } = await tried(
      good,
      '--proof',
      'test -n "$MACHINE_UID" -a -n "$NODE" -a -e "$MACHINE_UID" || { : > "$MACHINE_UID"; false; }',
    );
    expect({ code, failed, skipped }).toEqual({ code: 0, failed: [], skipped: [] });
  });

  test('shows nothing where the work was done before', async () => {
    const { skipped } = await tried(good, '--proof', 'true');
    expect(skipped).toMatchObject([{ why: 'by --proof the work was done before the first call' }]);
  });
});

const own = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  namespace: 'fleet',
  name: 'w',
  uid: 'u',
};

async function triedWith(call: unknown, answers: Answers = good) {
  const { folder } = await anOutside();
  const file = join(folder, 'call.json');
  await writeFile(file, JSON.stringify(call));
  return tried(answers, '--call', file);
}

describe('a Machine of the author', () => {
  test('is named in each call, and no other one is', async () => {
    const uids = new Set<string>();
    const { skipped } = await triedWith({ machine: own }, (heard) => {
      uids.add(heard.uid);
      return good(heard);
    });
    expect([...uids].toSorted()).toEqual(['', 'u']);
    expect(skipped).toMatchObject([
      { why: '--proof COMMAND tells' },
      { why: 'all calls are about the Machine of --call' },
    ]);
  });
});

test('for people it shows what was expected and what came', async () => {
  const { outside, written } = await anOutside({ clock: quickClock(50) });
  const url = await serving(({ token }) => says(token, {}));
  expect(await main(['hook', 'test', url], outside)).toBe(1);
  expect(written.stdout).toBe(
    [
      'Answers',
      '  ✗ a call is answered',
      '      expected: an event dev.phaseout.hook.answer.v1 within 30 s',
      '      answered: 200 dev.phaseout.hook.answer.v1 {} (state is missing, not Done, Working, Failed)',
      '',
      'The function does not keep to the contract: 0 passed, 1 failed, 0 skipped.',
      '',
    ].join('\n'),
  );
});

test('Ctrl-C ends it between two calls', async () => {
  const { outside, written, interrupt } = await anOutside({ clock: quickClock(50) });
  const url = await serving((heard) => {
    if (heard.timesOfUid === 3) interrupt();
    return heard.uid === '' ? good(heard) : says(heard.token, { state: 'Working' });
  });
  expect(await main(['hook', 'test', url], outside)).toBe(130);
  expect(written.stdout).toMatch(/\nInterrupted: \d+ passed, \d failed, \d skipped\.\n$/);
});

test.each<[string, string[], string]>([
  ['nothing', [], 'hook is followed by new or test'],
  ['another word', ['tst'], 'hook is followed by new or test, not "tst". Did you mean test?'],
  ['no URL', ['test'], 'hook test needs the URL of a function that runs'],
  ['no URL of HTTP', ['test', 'ftp://a'], 'hook test takes an http or https URL, not "ftp://a"'],
  ['two URLs', ['test', 'http://a', 'b'], 'unexpected argument "b"'],
  ['no port', ['test', 'http://a', '--broker', '0'], '--broker takes a number from 1 to 65535, not "0"'],
  ['no time', ['test', 'http://a', '--deadline', '0'], '--deadline takes whole seconds, at least 1, not "0"'],
  [
    'an option of the other verb',
    ['test', 'http://a', '--language', 'python'],
    "Unknown option '--language'",
  ],
  [
    'a file that is not there',
    ['test', 'http://a', '--call', '/nowhere'],
    '/nowhere: no such file or directory',
  ],
])('hook with %s is not understood', async (_what, args, message) => {
  const { outside, written } = await anOutside();
  expect(await main(['hook', ...args], outside)).toBe(2);
  expect(written.stderr).toContain(`phaseout: ${message}`);
});

test('a call without a Machine is refused before anything is asked', async () => {
  const { outside, written, folder } = await anOutside();
  await writeFile(join(folder, 'call.yaml'), 'place: PreDrain');
  expect(await main(['hook', 'test', 'http://a', '--call', 'call.yaml'], outside)).toBe(2);
  expect(written.stderr).toContain('call.yaml: machine: ');
});
