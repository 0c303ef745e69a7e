import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDeletedMachine, deletingFleet } from '../builders/fleet/deleting.ts';
import { type FleetStage, openFleetStage } from './fleet-stage.ts';
import { openBrowser } from './stage.ts';

let stage: FleetStage;
beforeAll(async () => {
  stage = await openFleetStage(deletingFleet({ machines: 60, deleting: 30 }));
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

/** The page with this query, by the address of the terminal. */
const openAt = (search: string, options = {}): Promise<Page> =>
  openBrowser({ ...stage, address: stage.address.replace('/#', `/${search}#`) }, options);

const rows = (page: Page) => page.getByRole('table', { name: 'Machines being deleted' }).locator('tbody tr');
const searchOf = (page: Page): string => new URL(page.url()).search;

describe('the overview of a fleet', () => {
  test('has groups by what holds, and a row for each deletion, the worst first', async () => {
    const page = await openAt('');
    const groups = page.getByRole('table', { name: 'What holds them' }).locator('tbody tr');
    await groups.first().waitFor();
    expect(await groups.count()).toBe(7);
    await page
      .getByRole('row', {
        name: /^PodDisruptionBudget shop\/web, in cluster fleet\/blue 2 2 0 .* the owner of PodDisruptionBudget shop\/web$/,
      })
      .waitFor();
    expect(await rows(page).count()).toBe(30);
    expect(await rows(page).first().textContent()).toMatch(/^edge\/red-11.*Held.*pre-drain/);
    expect(await rows(page).last().textContent()).toMatch(/^fleet\/green-4.*Late.*infrastructure/);
  });

  test('is narrowed by a group, and the way back takes that off', async () => {
    const page = await openAt('');
    await page.getByRole('link', { name: 'PodDisruptionBudget shop/web, in cluster fleet/blue' }).click();
    await page.getByText('Shown: 2 of 30 being deleted.').waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    expect(searchOf(page)).toBe('?holder=PodDisruptionBudget+shop%2Fweb%2C+in+cluster+fleet%2Fblue');
    await page.goBack();
    await page.getByText('Shown: 2 of 30').waitFor({ state: 'detached' });
    expect(await rows(page).count()).toBe(30);
  });

  test('keeps filters in the address: a reload, a link and the way back have them', async () => {
    const page = await openAt('');
    await page.getByLabel('Namespace').selectOption('edge');
    await page.getByLabel('Phase').selectOption('drain');
    await page.getByText('Shown: 4 of 30 being deleted.').waitFor();
    expect(searchOf(page)).toBe('?namespace=edge&phase=drain');
    await page.reload();
    await page.getByText('Shown: 4 of 30 being deleted.').waitFor();
    await page.getByRole('article').getByRole('link').first().click();
    await page.getByRole('link', { name: 'All Machines' }).waitFor();
    await page.goBack();
    await page.getByText('Shown: 4 of 30 being deleted.').waitFor();
    await page.goBack();
    await page.getByText('Shown: 10 of 30 being deleted.').waitFor();
    expect(await page.getByLabel('Phase').inputValue()).toBe('');
  });

  test('opens by an address that has both filters and the token', async () => {
    const page = await openAt('?cluster=fleet%2Fgreen&as=cards');
    await page.getByText('Shown: 10 of 30 being deleted.').waitFor();
    expect(await page.getByRole('article').count()).toBe(10);
    expect(new URL(page.url()).hash).toBe('');
  });

  test('says what hides everything, and takes it off', async () => {
    const page = await openAt('?namespace=edge&cluster=fleet%2Fblue&as=rows');
    await page
      .getByText('The filters hide all that is being deleted (30): namespace edge, cluster fleet/blue.')
      .waitFor();
    await page.getByText('The filters hide all 30.').waitFor();
    await page.getByRole('link', { name: 'Take the filters off' }).last().click();
    await rows(page).nth(29).waitFor();
    expect(searchOf(page)).toBe('?as=rows');
  });

  test('is chosen by the keyboard', async () => {
    const page = await openAt('');
    await page.getByLabel('Cluster').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('Shown: 10 of 30 being deleted.').waitFor();
    expect(searchOf(page)).toBe('?cluster=edge%2Fred');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('filter-cluster');
    await page.getByRole('link', { name: 'WaitingForVolumeDetach' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Shown: 2 of 30 being deleted.').waitFor();
    // The link that was pressed may be gone: the keyboard goes on from the top of the view.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('filter-namespace');
    await page.goBack();
    await page.getByText('Shown: 10 of 30 being deleted.').waitFor();
    await page.getByLabel('As', { exact: true }).focus();
    await page.keyboard.press('c');
    await page.getByRole('article').nth(9).waitFor();
  });
});

test('one change draws one row again, and no other', async () => {
  const page = await openAt('');
  await rows(page).nth(29).waitFor();
  await page.evaluate(watchRows);
  // Another one holds it now.
  stage.tell(aDeletedMachine(29, { holder: 3 }));
  await rows(page).filter({ hasText: 'red-29' }).filter({ hasText: 'volume-detach' }).waitFor();
  expect(await page.evaluate(() => [...window.changedRows])).toEqual(['edge/red-29']);
});

declare global {
  interface Window {
    /** Names of the Machines with rows that were drawn again, or for the first time. */
    changedRows: Set<string>;
  }
}

function watchRows(): void {
  window.changedRows = new Set();
  const table = document.querySelector('table.deletions tbody');
  if (table === null) return;
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      // Durations grow.
      if (target.parentElement?.closest('time')) continue;
      for (const node of target === table ? addedNodes : [target]) {
        const row = (node instanceof Element ? node : node.parentElement)?.closest('tr');
        window.changedRows.add(row?.querySelector('a')?.textContent ?? 'another');
      }
    }
  }).observe(table, { childList: true, subtree: true, characterData: true, attributes: true });
}
