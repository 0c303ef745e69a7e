import { afterAll, beforeAll, expect, test } from 'vitest';
import { go, openBrowser, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

test('a Machine is deleted, and the page shows how it goes', async () => {
  const page = await openBrowser(stage);
  await page.getByText('No Machine is being deleted.').waitFor();
  await page.getByRole('link', { name: 'fleet/worker-1', exact: true }).click();
  await page.getByRole('heading', { name: 'What would happen' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/capi/fleet/worker-1');

  await stage.delete('worker-1');
  await page.getByText('Who has to act: local-hook-owner (move-traffic)').waitFor();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.locator('[aria-current=step]', { hasText: 'drain, now' }).waitFor();

  await page.goBack();
  await page.getByRole('article').getByRole('link', { name: 'fleet/worker-1' }).click();
  await page.locator('.pill', { hasText: 'Gone' }).waitFor({ timeout: 60_000 });
  expect(await page.getByRole('img', { name: /Pods that were to be evicted: 6/ }).count()).toBe(1);
  await page.getByText(/\d+ entries, newest first/).click();
  await page.getByText('completed (DeletionCompleted)').waitFor();

  await page.getByRole('link', { name: 'All Machines' }).click();
  await page.getByRole('row', { name: /^fleet\/worker-1 .*Gone/ }).waitFor();
});

test('a browser without the token sees nothing of the cluster', async () => {
  const { origin } = new URL(stage.address);
  const page = await openBrowser({ ...stage, address: `${origin}/capi/fleet/worker-2` });
  await page.getByRole('heading', { name: 'Open the address from your terminal' }).waitFor();
  expect(await page.getByRole('main').textContent()).not.toContain('Pod');
});

test('a link to a view opens in a new tab of the same browser', async () => {
  const page = await openBrowser(stage);
  const other = await page.context().newPage();
  await other.goto(new URL('/capi/fleet/worker-2', page.url()).href);
  await other.getByRole('heading', { name: 'What would happen' }).waitFor();
  await go(other, '/');
  expect(await other.getByRole('heading', { level: 1 }).textContent()).toBe('Machines being deleted');
});
