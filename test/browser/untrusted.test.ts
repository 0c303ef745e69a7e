import { afterAll, beforeAll, expect, test } from 'vitest';
import { go, openBrowser, openStage, type Stage } from './stage.ts';

const markup = `<img src="/x" onerror="document.title='taken'"><script>document.title='taken'</script>`;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.annotate('worker-1', { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/approval': markup });
  await stage.delete('worker-1');
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

test.each(['/', '/capi/fleet/worker-1'])('text of a cluster is text and never markup: %s', async (path) => {
  const page = await openBrowser(stage);
  await go(page, path);
  await page.getByText(markup).first().waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toMatch(/phaseout$/);
});
