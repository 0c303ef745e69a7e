import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** A package with code in the bundle. */
export interface BundledPackage {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  /** As the lock file has it: an algorithm and a base64 digest. */
  integrity?: string;
  /** Where it is installed, absolute. */
  folder: string;
}

/** What is read of a package.json. */
export const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
});

/** The packages that these modules are of, by name and version. Throws where one does not say its licence. */
export function bundledPackages(root: string, modules: readonly string[]): BundledPackage[] {
  const { packages: locked } = lockSchema.parse(readJson(join(root, 'package-lock.json')));
  const folders = new Set(modules.map((id) => folderOf(root, id)).filter((folder) => folder !== undefined));
  const packages = [...folders].map((folder) => {
    const manifest = manifestSchema.parse(readJson(join(root, folder, 'package.json')));
    const integrity = locked[folder]?.integrity;
    return { ...manifest, ...(integrity && { integrity }), folder: join(root, folder) };
  });
  return packages.toSorted(
    (one, other) => compare(one.name, other.name) || compare(one.version, other.version),
  );
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** `node_modules/x` relative to the repository, as the lock file names it; a package may be inside another's folder. */
function folderOf(root: string, id: string): string | undefined {
  // Modules that the bundler makes up itself are marked with a NUL.
  const path = id.replace('\0', '').split('?')[0] ?? '';
  const [, folder] = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder !== undefined && existsSync(join(root, folder)) ? folder : undefined;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const line = '-'.repeat(80);

/** The licence texts of the packages in the bundle. Nearly all licences want them passed on with it. */
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

/** Files of the image beside the bundle. */
export const imageTexts = {
  sbom: 'sbom.cdx.json',
  notices: 'THIRD-PARTY-NOTICES.txt',
  page: 'page.json',
} as const;
