import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** What axe-core finds: `color-contrast: .pill`; empty where nothing is found. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}
