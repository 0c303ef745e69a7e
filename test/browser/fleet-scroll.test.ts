import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDeletedMachine, deletingFleet } from '../builders/fleet/deleting.ts';
import { type FleetStage, openFleetStage } from './fleet-stage.ts';
import { openBrowser } from './stage.ts';

const machines = 1_000;
const deleting = 200;
const seconds = 8;
const mebibyte = 2 ** 20;

let stage: FleetStage;
beforeAll(async () => {
  stage = await openFleetStage(deletingFleet({ machines, deleting }));
}, 60_000);
afterAll(async () => stage[Symbol.asyncDispose]());

const elements = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelectorAll('body *').length);

test('a thousand Machines, of them two hundred being deleted, are read while all of these change', async () => {
  const page = await openBrowser(stage, { viewport: { width: 1_280, height: 800 } });
  await page.getByRole('row', { name: /^fleet\/green-199 / }).waitFor();
  const atFirst = await elements(page);
  await page.getByText('All 800').click();
  await page.getByRole('row', { name: /^fleet\/blue-999 / }).waitFor();
  const withAll = await elements(page);

  const bare = await page.context().newPage();
  await bare.setContent('<div style="height: 40000px">');
  const ofNothing = await bare.evaluate(scrollFor, 3_000);
  await bare.close();

  const measure = await openMeasure(page);
  const before = await measure();
  const [sentBefore, begun] = [stage.sent(), performance.now()];
  const storm = setInterval(changeNext(), 5);
  const frames = await page.evaluate(scrollFor, seconds * 1_000);
  clearInterval(storm);
  const [sent, lasted] = [stage.sent() - sentBefore, (performance.now() - begun) / 1_000];
  const after = await measure();

  const busy = (name: string): string => `${Math.round(((after(name) - before(name)) * 1_000) / seconds)} ms`;
  console.log(
    [
      `${machines} Machines, ${deleting} being deleted, each of these changed every second, scrolled for ${seconds} s:`,
      `  a frame: median ${at(frames, 0.5)}, p95 ${at(frames, 0.95)}, longest ${at(frames, 1)} (goal: 16.7 ms, 50 ms)`,
      `  a frame of a page with nothing on it: median ${at(ofNothing, 0.5)}, p95 ${at(ofNothing, 0.95)}`,
      `  of a second: ${busy('ScriptDuration')} of script, ${busy('LayoutDuration')} of layout, ${busy('RecalcStyleDuration')} of styles`,
      `  ${(after('JSHeapUsedSize') / mebibyte).toFixed(1)} MiB of heap (goal: 60 MiB), ${withAll} elements, ${atFirst} before all were opened`,
      `  ${sent} views sent (goal: one a second)`,
    ].join('\n'),
  );
  expect(frames.length).toBeGreaterThan(10);
  expect(sent).toBeGreaterThan(1);
  expect(sent).toBeLessThanOrEqual(Math.ceil(lasted) + 1);
  expect(after('JSHeapUsedSize')).toBeLessThan(60 * mebibyte);
  // Some ten elements a row.
  expect(atFirst).toBeLessThan(4_000);
  expect(withAll).toBeLessThan(12_000);
});

/** Each call changes the next Machine: what holds it now is another thing. */
function changeNext(): () => void {
  let told = 0;
  return () => {
    told += 1;
    const index = told % deleting;
    stage.tell(aDeletedMachine(index, { holder: (index + Math.floor(told / deleting)) % 5 }));
  };
}

/** In milliseconds. */
const at = (frames: readonly number[], share: number): string => {
  const sorted = frames.toSorted((one, other) => one - other);
  return `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1)} ms`;
};

/** How long each frame took while the page went down and up again. */
function scrollFor(milliseconds: number): Promise<number[]> {
  return new Promise((resolve) => {
    const frames: number[] = [];
    const begun = performance.now();
    let [last, by] = [begun, 40];
    const next = (now: number): void => {
      frames.push(now - last);
      last = now;
      const end = document.documentElement.scrollHeight - innerHeight;
      if (scrollY >= end - 1) by = -40;
      if (scrollY <= 0) by = 40;
      scrollBy(0, by);
      if (now - begun < milliseconds) requestAnimationFrame(next);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(next);
  });
}

/** What the browser counts, after it has thrown away what it does not need. */
async function openMeasure(page: Page): Promise<() => Promise<(name: string) => number>> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable');
  return async () => {
    await protocol.send('HeapProfiler.collectGarbage');
    const { metrics } = await protocol.send('Performance.getMetrics');
    return (name) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  };
}
