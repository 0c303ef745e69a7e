import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';

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

/**
 * Writes the few letters that are not ASCII as escapes. With one such letter Node decodes the whole file slowly, and V8
 * keeps twice its bytes. That costs some hundredths of the start.
 */
export const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = escaped(file.code);
    }
  },
};

/** By UTF-16 units, as strings, templates and regular expressions read escapes. */
const escaped = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
