import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';

const line = '-'.repeat(80);

/** The licence texts of what is in the bundle, which nearly all of them want to be passed on with it. */
export function notices(packages: readonly BundledPackage[]): string {
  const parts = packages.map(({ name, version, license, folder }) =>
    [line, `${name} ${version} (${license})`, '', ...texts(folder)].join('\n'),
  );
  return `${parts.join('\n\n')}\n`;
}

function texts(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name));
  return names.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim());
}
