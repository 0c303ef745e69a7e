import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findings } from './findings.ts';

/** Opens a view in a browser of its own. */
export type OpenView = (options?: BrowserContextOptions) => Promise<Page>;

/** What each view keeps: for those who see little, who have a small window, or no mouse. */
export function isLegible(open: OpenView): void {
  test.each(['light', 'dark'] as const)('has nothing that axe finds, in %s', async (colorScheme) => {
    expect(await findings(await open({ colorScheme }))).toEqual([]);
  });

  test.each([
    ['at 360 pixels', { width: 360, height: 740 }, 1],
    ['at 200 % of a laptop', { width: 640, height: 400 }, 2],
  ] as const)('does not scroll sideways %s', async (_size, viewport, deviceScaleFactor) => {
    const page = await open({ viewport, deviceScaleFactor });
    await openDetails(page);
    expect(await beside(page)).toBe(0);
  });

  test('has all that can be used within reach of Tab, and shows where it is', async () => {
    const page = await open();
    const usable = page.locator('a, button, summary, select');
    const all = await usable.count();
    const reached: string[] = [];
    for (let times = 0; times < all; times += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(focused));
    }
    expect(reached).toEqual(await usable.evaluateAll(described));
  });
}

/** How many pixels of the page are beside the window. */
const beside = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function openDetails(page: Page): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
}

/** The text of what has the focus; nothing where it does not show. */
function focused(): string {
  const element = document.activeElement;
  if (element === null) return '';
  return getComputedStyle(element).outlineStyle === 'none' ? '' : (element.textContent ?? '');
}

const described = (elements: readonly Element[]): string[] =>
  elements.map(({ textContent }) => textContent ?? '');
