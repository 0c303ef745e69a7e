import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';

/** What a bundle has become. */
export interface Bundle {
  /** Files written, by name. */
  files: string[];
  /** Absolute paths of the modules in them, in no particular order. */
  modules: string[];
}

/** What differs from one bundle to the next. */
interface Wanted {
  root: string;
  take: Pick<InputOptions, 'input' | 'plugins' | 'transform'>;
  write: Pick<OutputOptions, 'dir' | 'format' | 'entryFileNames' | 'chunkFileNames'>;
}

/** Writes programs for Node with the packages that they need. Throws where a warning leaves the bundle in doubt. */
export async function roll({ root, take, write }: Wanted): Promise<Bundle> {
  const build = await rolldown({
    ...take,
    cwd: root,
    platform: 'node',
    // The AWS SDK has its modules twice, and only those of ECMAScript can be taken in part.
    resolve: { mainFields: ['module', 'main'], conditionNames: ['module', 'node', 'import'] },
    // A package is loaded for what it exports. Without this the Kubernetes client brings all of its generated API.
    treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle is in doubt: ${log.message}`);
    },
  });
  try {
    const { output } = await build.write({ ...write, minify: true });
    const chunks = output.filter((file) => file.type === 'chunk');
    return {
      files: output.map(({ fileName }) => fileName),
      modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    };
  } finally {
    await build.close();
  }
}
