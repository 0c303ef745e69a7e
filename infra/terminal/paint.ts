import { styleText } from 'node:util';
import type { Output, Outside } from './outside.ts';

type Style = Parameters<typeof styleText>[0];

/** Puts a style around a text, or returns the text as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours for terminals that want them: see https://no-color.org. */
export function paintFor(output: Output, { env }: Pick<Outside, 'env'>): Paint {
  if (output.isTTY !== true || env['NO_COLOR'] || env['TERM'] === 'dumb') return (_style, text) => text;
  return (style, text) => styleText(style, text, { validateStream: false });
}
