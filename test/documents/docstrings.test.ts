import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read } from './markdown.ts';
import { sourcesAt } from './said-in-source.ts';

const paths = sourcesAt('functions/**/*.ts', 'shared/**/*.ts', 'infra/**/*.ts', 'events/**/*.ts');

/** The first folder below `shared` or `infra`; `functions` and `events` are rooms too. */
function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/');
  return top === 'shared' || top === 'infra' ? `${top}/${room}` : top;
}

const imported = /^(?:import|export)\s+(?:type\s+)?(\*\s+as\s+\w+|\*|\{[^}]*\})\s+from '(\.[^']+)'/gm;

/** `path name` of each export that a file of another room imports by name. */
function usedElsewhere(): Set<string> {
  const used = new Set<string>();
  for (const path of paths)
    for (const [, names = '', from = ''] of read(path).matchAll(imported)) {
      const target = join(dirname(path), from);
      if (roomOf(target) === roomOf(path)) continue;
      for (const each of names.replaceAll(/[{}]/g, '').split(','))
        used.add(
          `${target} ${
            each
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0]
          }`,
        );
    }
  return used;
}

const declared =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/;

/** The exported declarations of a source that have no doc comment directly above. */
function undocumented(path: string): { name: string; at: string }[] {
  const lines = read(path).split('\n');
  return lines.flatMap((line, index) => {
    const name = declared.exec(line)?.[1];
    if (name === undefined || isDocumented(lines, index)) return [];
    return [{ name, at: `${path}:${index + 1} ${name}` }];
  });
}

/** A comment ends directly above and its first line opens with two stars. Overloads share that of the first. */
function isDocumented(lines: readonly string[], index: number): boolean {
  const above = lines[index - 1]?.trim() ?? '';
  if (above.startsWith('/**') && above.endsWith('*/')) return true;
  if (above === '*/') {
    const start = lines.slice(0, index).findLastIndex((line) => line.trim().startsWith('/*'));
    return lines[start]!.trim().startsWith('/**');
  }
  const name = declared.exec(lines[index] ?? '')?.[1];
  return name !== undefined && declared.exec(above)?.[1] === name && isDocumented(lines, index - 1);
}

const used = usedElsewhere();
const rooms = [...new Set(paths.map(roomOf))].toSorted();

test('exports that other rooms use were found', () => {
  expect(used).toContain('shared/time/clock.ts Clock');
  expect(used.size).toBeGreaterThan(300);
});

describe('each export that another room uses has a doc comment', () => {
  test.each(rooms)('%s', (room) => {
    const missing = paths
      .filter((path) => roomOf(path) === room)
      .flatMap((path) =>
        undocumented(path)
          .filter(({ name }) => used.has(`${path} ${name}`))
          .map(({ at }) => at),
      );
    expect(missing).toEqual([]);
  });
});
