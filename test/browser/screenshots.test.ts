import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deletingFleet } from '../builders/fleet/deleting.ts';
import { type FleetStage, openFleetStage } from './fleet-stage.ts';
import { go, openBrowser, openStage, type Stage } from './stage.ts';

/** `UPDATE_SCREENSHOTS=1` writes them; otherwise they are only taken. */
const isUpdate = process.env['UPDATE_SCREENSHOTS'] === '1';
const folder = new URL('../../infra/page/pictures/', import.meta.url);
const maxBytes = 170_000;
const width = 1_040;
const margin = 12;

let stage: Stage;
let fleet: FleetStage;
beforeAll(async () => {
  fleet = await openFleetStage(deletingFleet({ askedAt: minutesAgo }));
  stage = await openStage({ runSeconds: 600 });
  const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/approval';
  await stage.annotate('worker-2', { [hook]: 'change-board' });
  await stage.delete('worker-2');
  await stage.delete('worker-1');
}, 60_000);
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await fleet[Symbol.asyncDispose]();
});

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
    expect(await take(page, `${name}-${colorScheme}`, height)).toBeLessThan(maxBytes);
  });

  test('of a fleet', async () => {
    const viewport = { width, height: 1_040 };
    const page = await openBrowser(fleet, { colorScheme, viewport, reducedMotion: 'reduce' });
    await page.getByRole('table', { name: 'Machines being deleted' }).waitFor();
    expect(await take(page, `fleet-${colorScheme}`, viewport.height)).toBeLessThan(maxBytes);
  });
});

/** The last was asked for now, and each before it a quarter of a minute earlier. */
const minutesAgo = (index: number): string => new Date(Date.now() - (200 - index) * 15_000).toISOString();

/** How many bytes the picture has. */
async function take(page: Page, name: string, height: number): Promise<number> {
  // What is out of sight is not drawn.
  await page.setViewportSize({ width, height });
  const picture = await page.screenshot();
  if (isUpdate) await writeFile(new URL(`${name}.png`, folder), picture);
  return picture.length;
}
