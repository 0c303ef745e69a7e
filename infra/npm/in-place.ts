import { relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';

/**
 * Sources find the repository's files by where they stand themselves. In the bundle each still says that it stands there:
 * the package has these files at the same places, and the bundle in one folder at its top.
 */
export const inPlace = (root: string): Plugin => ({
  name: 'in-place',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: 'import.meta.url' },
    handler(code, id) {
      const place = relative(root, id).split(sep).join('/');
      return code.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`);
    },
  },
});
