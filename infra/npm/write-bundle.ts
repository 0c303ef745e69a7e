import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';
import { bundledPackages, imageTexts, notices } from '../image/bundled-packages.ts';
import { asciiOnly, type Bundle, roll } from '../image/roll.ts';
import { packAssets } from '../page/assets/build.ts';

/** What the package can be started with, by the files' names: package.json has a command for each. */
const programs: Readonly<Record<string, string>> = {
  phaseout: 'infra/cli/phaseout.ts',
  'kubectl-phaseout': 'infra/cli/kubectl-phaseout.ts',
  'kubectl-complete': 'infra/cli/kubectl-complete.ts',
};

/** The oldest Node that undici runs on, and so the package: package.json says the same. */
const target = 'node22.19';

/**
 * Writes the commands, with all packages that they need, into an empty folder at the top of the repository. Returns the
 * names of the files. What the commands read beside them, package.json names under `files`.
 */
export async function writeBundle(root: string, folder: string): Promise<string[]> {
  const out = join(root, folder);
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  const { files, modules } = await bundle(root, out);
  const page = await packAssets();
  await writeFile(join(out, imageTexts.page), page.text);
  const packages = bundledPackages(root, [...modules, ...page.modules]);
  await writeFile(join(out, imageTexts.notices), notices(packages));
  for (const name of Object.keys(programs)) await chmod(join(out, `${name}.js`), 0o755);
  return [...files, imageTexts.notices, imageTexts.page];
}

const bundle = (root: string, out: string): Promise<Bundle> =>
  roll({
    root,
    take: {
      input: Object.fromEntries(Object.entries(programs).map(([name, source]) => [name, join(root, source)])),
      transform: {
        target,
        inject: { AsyncDisposableStack: [join(import.meta.dirname, 'disposable-stack.ts'), 'Stack'] },
      },
      plugins: [inPlace(root), asciiOnly],
    },
    write: { dir: out, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  });

/**
 * Sources find the repository's files by where they stand themselves. In the bundle each still names that place. The
 * package has these files at the same places, and the bundle in one folder at its top.
 */
const inPlace = (root: string): Plugin => ({
  name: 'in-place',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: 'import.meta.url' },
    handler(code, id) {
      const place = relative(root, id).split(sep).join('/');
      return code.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`);
    },
  },
});
