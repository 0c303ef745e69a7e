import { join } from 'node:path';

import { lessUndici } from './less-undici.ts';
import { asciiOnly, type Bundle, roll } from './roll.ts';

/** What the image can be started with, by the files' names: each has all of its code to itself. */
const programs: Readonly<Record<string, string>> = {
  'main.cjs': 'infra/host/main.ts',
  'dead-man.cjs': 'infra/hook-watchdog/main.ts',
  'page.cjs': 'infra/cli/page/in-cluster/main.ts',
};

/**
 * Writes the programs as CommonJS: the functions, `main.cjs`, the hook watchdog, `dead-man.cjs`, and the page, `page.cjs`.
 * Beside them is what they load only when it is switched on. The same sources and packages make the same bytes.
 * CommonJS, because Node's compile cache saves most there.
 */
export async function bundle(root: string, out: string): Promise<Bundle> {
  const parts: Bundle[] = [];
  for (const [name, input] of Object.entries(programs))
    parts.push(await bundleOne({ root, out, name, input }));
  return {
    files: parts.flatMap(({ files }) => files).toSorted(),
    modules: parts.flatMap(({ modules }) => modules),
  };
}

interface Program {
  root: string;
  out: string;
  name: string;
  input: string;
}

const bundleOne = ({ root, out, name, input }: Program): Promise<Bundle> =>
  roll({
    root,
    take: { input: join(root, input), plugins: [lessUndici, asciiOnly] },
    write: { dir: out, format: 'cjs', entryFileNames: name, chunkFileNames: '[name]-[hash].cjs' },
  });
