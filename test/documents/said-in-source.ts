import { globSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { read, root } from './markdown.ts';

export const sourcesAt = (...patterns: string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted();

/** Every text that a source has in quotes, but for what it imports; `…` stands where it fills something in. */
export const textsIn = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => textsOf(parseAst(read(path), { lang: 'ts' })))),
];

function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== 'object' || node === null) return [];
  const fields = new Map<string, unknown>(Object.entries(node));
  const type = String(fields.get('type'));
  if (type === 'ImportDeclaration') return [];
  const value = fields.get('value');
  if (type === 'Literal') return typeof value === 'string' ? [value] : [];
  const own = type === 'TemplateLiteral' ? [filledIn(fields.get('quasis'))] : [];
  return [...own, ...[...fields.values()].flatMap(textsOf)];
}

const filledIn = (quasis: unknown): string => (Array.isArray(quasis) ? quasis : []).map(cookedOf).join('…');

function cookedOf(element: { value?: { cooked?: string | null } }): string {
  return element.value?.cooked ?? '';
}

/** `WaitingForNodeRef`: how Kubernetes writes reasons. */
export const isWord = (text: string): boolean => /^[A-Z][A-Za-z0-9]+$/.test(text);

/**
 * The longest part of a text that is always the same. It finds the text in a source. Undefined if that part is no
 * sentence, but a word or a part of one.
 */
export function sentenceIn(text: string): string | undefined {
  const parts = text.split('…').map((part) => part.trim().replaceAll(/^[.,:;)\]]+ ?|[\s:,([]+$/g, ''));
  const longest = parts.reduce((long, part) => (part.length > long.length ? part : long), '');
  return /[a-z']{2,} \S*[a-z]{2,}/.test(longest) ? longest : undefined;
}

/** The messages of the log at the levels warn and error. */
export const complaintsIn = (paths: readonly string[]): string[] => [
  ...new Set(
    paths.flatMap((path) =>
      [...read(path).matchAll(/(?:\.(?:warn|error)|\blog\[[^\]]+\]|\)\[level\])\(\s*'([^']+)'/g)].map(
        ([, text = '']) => text,
      ),
    ),
  ),
];
