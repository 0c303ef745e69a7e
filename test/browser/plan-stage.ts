import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openLooker } from '../../infra/cli/look/looker.ts';
import { lookSourceOf } from '../../infra/cli/look/options.ts';
import { openPage } from '../../infra/cli/page/open-page.ts';
import { planOptions } from '../../infra/cli/plan/options.ts';
import { parseArguments } from '../../infra/terminal/parse-arguments.ts';
import { writeFleetDump } from '../builders/fleet/fleet-dump.ts';
import { launch } from './chromium.ts';
import { outside } from './stage.ts';

/** The page of a dump of 300 Machines, and a browser. */
export interface PlanStage extends AsyncDisposable {
  address: string;
  browser: Browser;
}

export async function openPlanStage(): Promise<PlanStage> {
  const closing = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-fleet-'));
  closing.defer(() => rm(folder, { recursive: true }));
  const loading = await writeFleetDump(folder, { machines: 100, podsPerNode: 8 });
  const source = lookSourceOf(parseArguments(loading, planOptions).values);
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const address = await openPage(
    looker,
    { source, subject: 'a fleet', recordsOf: noRecords },
    outside,
    closing,
  );
  const browser = await launch();
  closing.defer(() => browser.close());
  return { address, browser, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

const noRecords = async () => ({ history: [], pods: [], unread: [] });
