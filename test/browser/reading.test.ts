import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { isLegible } from './legible.ts';
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

describe.each(views)('%s', (_name, path) => {
  isLegible(async (options) => {
    const page = await openBrowser(stage, options);
    await open(page, path);
    return page;
  });
});

async function open(page: Page, path: string): Promise<void> {
  if (path.endsWith('9')) {
    await page.goto(new URL(path, page.url()).href);
    return page.getByText('There is no such Machine.').waitFor();
  }
  return go(page, path);
}
