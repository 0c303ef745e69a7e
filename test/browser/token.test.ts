import { expect, onTestFinished, test } from 'vitest';
import { aClusterPage } from '../infra/page/cluster-stage.ts';
import { freePort } from '../infra/page/free-port.ts';
import { launch } from './chromium.ts';
import { findings } from './findings.ts';
import { go, openBrowser } from './stage.ts';

async function aBrowser() {
  const port = await freePort();
  await aClusterPage([`127.0.0.1:${port}`], port);
  const browser = await launch();
  onTestFinished(() => browser.close());
  const complaints = { mayComplain: /401/ };
  return openBrowser({ browser, address: `http://127.0.0.1:${port}/` }, {}, complaints);
}

test('in a cluster a token opens the page, and it shows what its user may see', async () => {
  const page = await aBrowser();
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('Token').fill('api-token');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('This token is no good for this page.').waitFor();
  await page.getByLabel('Token').fill('blue-token');
  await page.keyboard.press('Enter');
  await page.getByRole('article').waitFor();
  expect(await page.getByRole('article').getByRole('heading').allTextContents()).toEqual(['blue/worker-1']);
  // Filters are shown where one of them is on: their choices are what may be seen, too.
  await go(page, '/?namespace=blue&as=rows');
  await page.getByRole('link', { name: 'DrainingNode', exact: true }).waitFor();
  expect(await page.getByRole('main').textContent()).not.toMatch(/green|bank|worker-2/);
  expect(await page.getByLabel('Namespace').getByRole('option').allTextContents()).toEqual(['all', 'blue']);
});
