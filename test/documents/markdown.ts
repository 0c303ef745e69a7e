import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every document but those that lie beside recordings. */
export const documents = [
  'README.md',
  ...globSync('{.github,functions,shared,events,infra,test}/**/*.md', { cwd: root }).filter(
    (path) => !path.startsWith('test/golden/'),
  ),
].toSorted();

export const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

export const withoutQuotes = (cell = ''): string => cell.replaceAll('`', '');

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

const isRule = (line = ''): boolean => line.startsWith('|---');

/** The cells of the table whose first heading is this, row by row. */
export function tableIn(document: string, heading: string): string[][] {
  const lines = read(document).split('\n');
  const start = lines.findIndex((line, at) => line.startsWith(`| ${heading} |`) && isRule(lines[at + 1]));
  if (start === -1) throw new Error(`${document} has no table of "${heading}"`);
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end === -1 ? undefined : end).map(cellsOf);
}

/** What stands in code in a section's headings and in the first cells of its tables: what one searches for. */
export function entriesOf(document: string, section?: string): string[] {
  const parts = read(document).split(/^(?=## )/m);
  const chosen = section === undefined ? parts : parts.filter((part) => part.startsWith(`## ${section}\n`));
  if (chosen.length === 0) throw new Error(`${document} has no section "${section}"`);
  const lines = chosen.join('').split('\n');
  const places = lines.flatMap((line) => {
    if (line.startsWith('### ')) return [line];
    return line.startsWith('| `') ? [cellsOf(line)[0] ?? ''] : [];
  });
  return places.flatMap((place) => [...place.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
}

/** The links that a document's headings can be reached by. */
export const anchorsOf = (document: string): string[] =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
