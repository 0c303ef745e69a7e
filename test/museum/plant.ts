import { join } from 'node:path';
import type { Exhibit } from './exhibit.ts';

const root = join(import.meta.dirname, '../..');

/** The code has changed since. The text to replace is no longer there, or no longer there once. */
export class StaleExhibit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StaleExhibit';
  }
}

export const pathInRepository = (file: string): string => join(root, file);

/** The text of the exhibit's file with the mistake in it. Throws StaleExhibit when an edit has no single place there. */
export function planted({ number, file, edits }: Exhibit, code: string): string {
  return edits.reduce((changed, { text, instead }) => {
    const parts = changed.split(text);
    if (parts.length === 2) return parts.join(instead);
    const times = parts.length === 1 ? 'is not there' : `is there ${parts.length - 1} times`;
    throw new StaleExhibit(`exhibit ${number} is stale: in ${file} this ${times}:\n${text}`);
  }, code);
}
