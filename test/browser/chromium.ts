import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of this machine: none is downloaded. */
function executable(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
  if (found === undefined)
    throw new Error('there is no chromium here: install it with `apt-get install chromium`');
  return found;
}

export const launch = (): Promise<Browser> =>
  // Containers run as root, where its sandbox does not start.
  chromium.launch({ executablePath: executable(), chromiumSandbox: false });
