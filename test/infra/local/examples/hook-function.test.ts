import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { exampleHook, serveExampleHook } from '../../../../infra/local/examples/hook-function.ts';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import { readCloudEvent, toBinary } from '../../../../shared/http/cloud-events/cloud-event.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { examples } from '../../../events/examples.ts';
import { anOutside } from '../../cli/outside.ts';
import { quickClock } from '../../cli/quick-clock.ts';

async function served(): Promise<string> {
  const listening = await serveExampleHook(systemClock);
  onTestFinished(() => listening.close());
  return listening.url;
}

const call = examples['dev.phaseout.hook.call.v1'];

/** What it says to the call with this id. */
async function said(url: string, id: string): Promise<unknown> {
  const { headers, body } = toBinary({ ...call, id });
  const response = await fetch(url, { method: 'POST', headers, body });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return readCloudEvent(Object.fromEntries(response.headers), bytes).data;
}

test('the function of the example works for two calls, and then is done', async () => {
  const url = await served();
  const first = { state: 'Working', message: 'moving 42 placement groups' };
  expect(await said(url, '1')).toEqual(first);
  // A call that comes twice is one.
  expect(await said(url, '1')).toEqual(first);
  expect(await said(url, '2')).toEqual({ state: 'Working', message: 'moving 12 placement groups' });
  const done = { state: 'Done', message: 'no placement group is left' };
  expect(await said(url, '3')).toEqual(done);
  expect(await said(url, '1')).toEqual(done);
});

test('it keeps to the contract', async () => {
  const { outside, written } = await anOutside({ clock: quickClock(50) });
  expect(await main(['hook', 'test', await served()], outside)).toBe(0);
  expect(written.stdout).toContain('The function keeps to the contract: 13 passed, 0 failed, 1 skipped.');
});

test('it is the function of the DeletionHook in the example', async () => {
  const hooks = (await readExample('hooks')).filter(({ object }) => object.kind === 'DeletionHook');
  expect(hooks.map(({ object: { metadata } }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
    exampleHook,
  ]);
});
