import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from './findings.ts';
import { go, openBrowser, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  // This hook stays on: the views stay as they are.
  await stage.annotate('worker-1', {
    'pre-drain.delete.hook.machine.cluster.x-k8s.io/approval': 'change-board',
  });
  await stage.delete('worker-1');
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

const views = [
  ['the overview', '/'],
  ['a Machine that is being deleted', '/capi/fleet/worker-1'],
  ['the plan of a living one', '/capi/fleet/worker-2'],
  ['a Machine that is not there', '/capi/fleet/worker-9'],
] as const;

/** How many pixels of the page are beside the window. */
const beside = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function openDetails(page: Page): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
}

describe.each(views)('%s', (_name, path) => {
  test.each(['light', 'dark'] as const)('has nothing that axe finds, in %s', async (colorScheme) => {
    const page = await openBrowser(stage, { colorScheme });
    await open(page, path);
    expect(await findings(page)).toEqual([]);
  });

  test.each([
    ['at 360 pixels', { width: 360, height: 740 }, 1],
    ['at 200 % of a laptop', { width: 640, height: 400 }, 2],
  ] as const)('does not scroll sideways %s', async (_size, viewport, deviceScaleFactor) => {
    const page = await openBrowser(stage, { viewport, deviceScaleFactor });
    await open(page, path);
    await openDetails(page);
    expect(await beside(page)).toBe(0);
  });

  test('has all that can be used within reach of Tab, and shows where it is', async () => {
    const page = await openBrowser(stage);
    await open(page, path);
    const all = await page.locator('a, button, summary').count();
    const reached: string[] = [];
    for (let times = 0; times < all; times += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(focused));
    }
    expect(reached).toEqual(await page.locator('a, button, summary').evaluateAll(described));
  });
});

async function open(page: Page, path: string): Promise<void> {
  if (path.endsWith('9')) {
    await page.goto(new URL(path, page.url()).href);
    return page.getByText('There is no such Machine.').waitFor();
  }
  return go(page, path);
}

/** The text of what has the focus; nothing where it does not show. */
function focused(): string {
  const element = document.activeElement;
  if (element === null) return '';
  return getComputedStyle(element).outlineStyle === 'none' ? '' : (element.textContent ?? '');
}

const described = (elements: readonly Element[]): string[] =>
  elements.map(({ textContent }) => textContent ?? '');
