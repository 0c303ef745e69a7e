import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { go, openBrowser, openStage, type Stage } from './stage.ts';

/** `UPDATE_SCREENSHOTS=1` writes them; otherwise they are only taken. */
const isUpdate = process.env['UPDATE_SCREENSHOTS'] === '1';
const folder = new URL('../../infra/page/pictures/', import.meta.url);
const maxBytes = 150_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ runSeconds: 600 });
  const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/approval';
  await stage.annotate('worker-2', { [hook]: 'change-board' });
  await stage.delete('worker-2');
  await stage.delete('worker-1');
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

describe.each(['light', 'dark'] as const)('a picture in %s', (colorScheme) => {
  test.each([
    ['overview', '/', 900],
    ['machine', '/capi/fleet/worker-1', 900],
    ['plan', '/capi/fleet/worker-3', 900],
  ] as const)('of the %s', async (name, path, height) => {
    const viewport = { width: 1_040, height };
    const page = await openBrowser(stage, { colorScheme, viewport, reducedMotion: 'reduce' });
    await go(page, path);
    // Two Machines, one of them held; and Pods in the timeline.
    if (name !== 'plan') await page.getByText('Acts now: the Pods that have to complete').waitFor();
    const picture = await page.screenshot();
    expect(picture.length).toBeLessThan(maxBytes);
    if (isUpdate) await writeFile(new URL(`${name}-${colorScheme}.png`, folder), picture);
  });
});
