import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { deletingFleet } from '../builders/fleet/deleting.ts';
import { type FleetStage, openFleetStage } from './fleet-stage.ts';
import { isLegible } from './legible.ts';
import { openBrowser } from './stage.ts';

let stage: FleetStage;
beforeAll(async () => {
  stage = await openFleetStage(deletingFleet({ machines: 70, deleting: 12 }));
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

describe.each([
  ['a fleet in rows', '?as=rows'],
  ['a fleet in cards', '?as=cards'],
  ['a fleet with filters', '?namespace=fleet&phase=drain'],
  ['a fleet that filters hide', '?namespace=moon'],
])('%s', (_name, search) => {
  isLegible(async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await openBrowser(
      { ...stage, address: stage.address.replace('/#', `/${search}#`) },
      options,
    );
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByLabel('Namespace').waitFor();
    return page;
  });
});
