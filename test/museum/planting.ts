import type { Plugin } from 'vitest/config';
import type { Exhibit } from './exhibit.ts';
import { pathInRepository, planted } from './plant.ts';

/** Makes the exhibit's mistake in the code that tests load. What is on the disk stays as it is. */
export function planting(exhibit: Exhibit): Plugin {
  const path = pathInRepository(exhibit.file);
  return {
    name: `exhibit-${exhibit.number}`,
    enforce: 'pre',
    transform(code, id) {
      const [file] = id.split('?');
      return file === path ? { code: planted(exhibit, code), map: null } : undefined;
    },
  };
}
