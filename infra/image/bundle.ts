import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { asciiOnly } from './ascii-only.ts';
import { lessUndici } from './less-undici.ts';

export interface Bundle {
  /** Files written, by name. */
  files: string[];
  /** Absolute paths of the modules in them, in no particular order. */
  modules: string[];
}

/** What the image can be started with, by the files' names: each has all of its code to itself. */
const programs: Readonly<Record<string, string>> = {
  'main.cjs': 'infra/host/main.ts',
  'dead-man.cjs': 'infra/dead-man/main.ts',
  'page.cjs': 'infra/cli/page/in-cluster/main.ts',
};

/**
 * Writes the functions as CommonJS: `main.cjs`, and beside it what is loaded only when it is switched on; the dead man,
 * `dead-man.cjs`, and the page, `page.cjs`. The same sources and packages make the same bytes. CommonJS, because Node's compile cache saves most there.
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

async function bundleOne({ root, out, name, input }: Program): Promise<Bundle> {
  const build = await rolldown({
    input: join(root, input),
    cwd: root,
    platform: 'node',
    // The AWS SDK has its modules twice, and only those of ECMAScript can be taken in part.
    resolve: { mainFields: ['module', 'main'], conditionNames: ['module', 'node', 'import'] },
    plugins: [lessUndici, asciiOnly],
    // A package is loaded for what it exports. Without this the Kubernetes client brings all of its generated API.
    treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle is in doubt: ${log.message}`);
    },
  });
  try {
    const { output } = await build.write({
      dir: out,
      format: 'cjs',
      minify: true,
      entryFileNames: name,
      chunkFileNames: '[name]-[hash].cjs',
    });
    const chunks = output.filter((file) => file.type === 'chunk');
    return {
      files: output.map(({ fileName }) => fileName),
      modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    };
  } finally {
    await build.close();
  }
}
