import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { go, openBrowser, openStage, type Stage } from './stage.ts';

/** `UPDATE_SCREENSHOTS=1` writes them; otherwise they are only taken. */
const isUpdate = process.env['UPDATE_SCREENSHOTS'] === '1';
const folder = new URL('../../infra/page/pictures/', import.meta.url);
const maxBytes = 170_000;
const width = 1_040;
const margin = 12;

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
    ['overview', '/', 'Living Machines'],
    ['machine', '/capi/fleet/worker-1', 'Timeline'],
    ['plan', '/capi/fleet/worker-3', 'Pods on the Node'],
  ] as const)('of the %s', async (name, path, last) => {
    const viewport = { width, height: 900 };
    const page = await openBrowser(stage, { colorScheme, viewport, reducedMotion: 'reduce' });
    await go(page, path);
    // Two Machines, one of them held; and Pods in the timeline.
    if (name !== 'plan') await page.getByText('Acts now: the Pods that have to complete').waitFor();
    // A picture ends where a card does.
    const card = await page.locator('.card', { hasText: last }).last().boundingBox();
    const height = Math.ceil((card?.y ?? 0) + (card?.height ?? 0)) + margin;
    const picture = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height } });
    expect(picture.length).toBeLessThan(maxBytes);
    if (isUpdate) await writeFile(new URL(`${name}-${colorScheme}.png`, folder), picture);
  });
});
