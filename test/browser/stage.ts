import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openLocalPage } from '../../infra/cli/page/local-page.ts';
import { readExample } from '../../infra/local/examples/read-example.ts';
import { type Platform, startPlatform } from '../../infra/local/platform/platform.ts';
import type { Manifest } from '../../infra/terminal/manifests.ts';
import type { Outside } from '../../infra/terminal/outside.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { launch } from './chromium.ts';

/** The local platform with the example fleet, its page, and a browser. */
export interface Stage extends AsyncDisposable {
  platform: Platform;
  /** As the terminal shows it. */
  address: string;
  browser: Browser;
  /** Asks for the deletion of a Machine of the fleet. */
  delete(name: string): Promise<void>;
  annotate(name: string, annotations: Readonly<Record<string, string>>): Promise<void>;
}

/** `runSeconds`: how long the Job of the fleet takes, which a drain waits for. */
export async function openStage({ runSeconds = 12 } = {}): Promise<Stage> {
  const closing = new AsyncDisposableStack();
  const { clock, random } = outside;
  const platform = await startPlatform({ clock, random, manifests: await manifestsWith(runSeconds) });
  closing.defer(() => platform.close());
  const { kubeconfig, kubernetes, machineApis } = platform;
  const about = { host: platform, subject: 'the example fleet', kubeconfig };
  const address = (await openLocalPage(about, outside, closing)) ?? '';
  const browser = await launch();
  closing.defer(() => browser.close());
  const { resource } = machineApis[0]!;
  return {
    platform,
    address,
    browser,
    async delete(name) {
      const key = { namespace: 'fleet', name };
      const machine = await kubernetes.get(resource, key);
      await kubernetes.delete(resource, key, machine?.metadata.uid ?? '');
    },
    async annotate(name, annotations) {
      await kubernetes.mergePatch(resource, { namespace: 'fleet', name }, { metadata: { annotations } });
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function manifestsWith(runSeconds: number): Promise<Manifest[]> {
  const text = JSON.stringify(await readExample('capi'));
  return JSON.parse(
    text.replace('"local.phaseout.dev/run-seconds":"12"', `"local.phaseout.dev/run-seconds":"${runSeconds}"`),
  );
}

export const outside: Outside = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: {},
  folder: '.',
  clock: systemClock,
  random: Math.random,
  interrupted: new AbortController().signal,
};

/** Opens the address in a browser of its own. A complaint of the browser, or a request to elsewhere, fails the test. */
export async function openBrowser(
  { browser, address }: Pick<Stage, 'browser' | 'address'>,
  options: BrowserContextOptions = {},
  { mayComplain }: { mayComplain?: RegExp } = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && mayComplain?.test(message.text()) !== true)
      complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin) complaints.push(request.url());
  });
  onTestFinished(async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(`the browser complains: ${complaints.join('; ')}`);
  });
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** A view, by its address. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('main').locator('.card').first().waitFor();
}
