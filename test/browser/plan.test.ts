import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from './findings.ts';
import { openPlanStage, type PlanStage } from './plan-stage.ts';
import { openBrowser } from './stage.ts';

let stage: PlanStage;
beforeAll(async () => {
  stage = await openPlanStage();
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

async function openPlan(query = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openBrowser(stage, options);
  await page.goto(new URL(`/plan${query}`, page.url()).href);
  await made(page);
  return page;
}

/** A plan of a fleet takes some seconds. */
const made = (page: Page) => page.getByText('Not live', { exact: true }).waitFor({ timeout: 60_000 });

/** What is asked for from now on, but for the icon. */
function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(`${pathname}${search}`);
  });
  return asked;
}

const totalsOf = (page: Page) => page.locator('.totals').textContent();

describe('the plan of 300 Machines', () => {
  test('is led to by the overview, and has each group with what it takes to change it', async () => {
    const page = await openBrowser(stage);
    await page.getByRole('link', { name: 'What would hold an upgrade' }).click();
    await made(page);
    expect(new URL(page.url()).pathname).toBe('/plan');
    expect(await totalsOf(page)).toBe('300 Machines✓ 224 go▲ 63 held● 13 wait○ 0 unknown');
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Held: somebody has to act',
      'Waits: it goes on by itself, later',
      'First, the way to the clusters of the Nodes',
    ]);
    const web = page.locator('.item', { hasText: 'shop/web has no room now, in cluster fleet/green' });
    expect(await web.locator('dl').textContent()).toBe(
      'ObjectPodDisruptionBudget shop/webOwnerDeployment shop/web',
    );
    expect(await web.locator('code').textContent()).toBe(
      'kubectl --kubeconfig green.kubeconfig describe poddisruptionbudgets.policy web -n shop',
    );
    expect(await web.locator('summary').textContent()).toBe('18 Machines need budget shop/web: 2 at a time');
  });

  test('leads from a group to each of its Machines', async () => {
    const page = await openPlan();
    const web = page.locator('.item', { hasText: 'shop/web has no room now' });
    expect(await web.getByRole('link').count()).toBe(0);
    await web.locator('summary').click();
    expect(await web.getByRole('link').count()).toBe(18);
    await web.getByRole('link', { name: 'fleet/green-13' }).click();
    await page.getByRole('heading', { level: 1, name: 'fleet/green-13' }).waitFor();
    await page.getByRole('heading', { name: 'What would hold it' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/capi/fleet/green-13');
  });

  test('is not made again for who comes back from a Machine of it', async () => {
    const page = await openPlan('?cluster=green');
    await page.getByText('18 Machines need budget').click();
    await page.getByRole('link', { name: 'fleet/green-0' }).click();
    await page.getByRole('heading', { level: 1, name: 'fleet/green-0' }).waitFor();
    const asked = requestsOf(page);
    await page.goBack();
    await page.getByText('100 Machines').waitFor();
    expect(asked).toEqual([]);
  });

  test('keeps what it is asked for in the address', async () => {
    const page = await openPlan();
    await page.getByLabel('Cluster', { exact: true }).fill('red');
    await page.getByLabel('Labels').fill('storage!=local');
    await page.keyboard.press('Enter');
    await page.getByText('96 Machines').waitFor({ timeout: 60_000 });
    expect(new URL(page.url()).search).toBe('?cluster=red&selector=storage%21%3Dlocal');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('selector');
    await page.reload();
    await made(page);
    expect(await totalsOf(page)).toBe('96 Machines✓ 79 go▲ 17 held● 0 wait○ 0 unknown');
    expect(await page.getByLabel('Cluster', { exact: true }).inputValue()).toBe('red');
    await page.goBack();
    await page.getByText('300 Machines').waitFor({ timeout: 60_000 });
    expect(await page.getByLabel('Cluster', { exact: true }).inputValue()).toBe('');
  });

  test.each([
    ['?cluster=gone', 'There is no such Machine: nothing was judged.'],
    ['?selector=a%3F', 'labels: "a?" is no requirement such as'],
  ])('is none where %s is asked for, and says why', async (query, text) => {
    const page = await openPlan(query);
    await page.getByText(text).waitFor();
    expect(await page.locator('.totals').count()).toBe(0);
  });

  test('is made again when somebody asks for that, and not by itself', async () => {
    const page = await openPlan('?machine-set=blue-odd-1');
    const asked = requestsOf(page);
    const said = page.getByText(/^Made at \d\d:\d\d:\d\d, \d+ s ago$/);
    const before = await said.textContent();
    await page.getByLabel('Namespace').fill('half a na');
    await expect.poll(() => said.textContent(), { timeout: 10_000 }).not.toBe(before);
    expect(asked).toEqual([]);
    expect(await page.getByLabel('Namespace').inputValue()).toBe('half a na');
    await page.getByRole('button', { name: 'Make it again' }).click();
    await made(page);
    expect(asked).toEqual(['/api/plan?machine-set=blue-odd-1']);
  });

  test.each(['light', 'dark'] as const)('has nothing that axe finds, in %s', async (colorScheme) => {
    const page = await openPlan('', { colorScheme });
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await findings(page)).toEqual([]);
  });

  test('does not scroll sideways at 360 pixels', async () => {
    const page = await openPlan('', { viewport: { width: 360, height: 740 } });
    for (const summary of await page.locator('summary').all()) await summary.click();
    const beside = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beside).toBe(0);
  });

  test('has all that can be used within reach of Tab', async () => {
    const page = await openPlan('?cluster=green');
    const all = page.locator('a:visible, button, input, summary');
    const reached: string[] = [];
    for (let times = await all.count(); times > 0; times -= 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(focused));
    }
    expect(reached).toEqual(await all.evaluateAll(namesOf));
  });
});

/** What has the focus, by its text or its name; nothing where that does not show. */
function focused(): string {
  const element = document.activeElement;
  if (element === null || getComputedStyle(element).outlineStyle === 'none') return '';
  return element.textContent || (element.getAttribute('name') ?? '');
}

const namesOf = (elements: readonly Element[]): string[] =>
  elements.map((element) => element.textContent || (element.getAttribute('name') ?? ''));
