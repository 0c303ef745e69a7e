import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Stage {
  from: string;
  lines: string[];
}

/** The stages of the Dockerfile by their names; the last one, which is the image, has none. */
function stages(): Map<string, Stage> {
  const text = readFileSync(join(import.meta.dirname, '../../../infra/image/Dockerfile'), 'utf8');
  const parts = text.split(/^FROM /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [first = '', ...lines] = part.split('\n');
      const [from = '', name = ''] = first.split(' AS ');
      return [name, { from, lines }];
    }),
  );
}

const stage = (name: string): Stage => stages().get(name) ?? { from: '', lines: [] };
const userOf = ({ lines }: Stage) => lines.find((line) => line.startsWith('USER '));
const copiesOfApp = ({ lines }: Stage) => lines.filter((line) => /^COPY .* \/app \/app$/.test(line));

describe('the compile cache in the image', () => {
  const [primed, image] = [stage('primed'), stage('')];

  test('is filled by the very Node that reads it', () => {
    expect(image.from).toMatch(/^gcr\.io\/distroless\/nodejs24-/);
    expect(primed.from).toBe(image.from);
  });

  test('is filled by the user who reads it: Node finds no other one', () => {
    expect(userOf(image)).toBe('USER 65532:65532');
    expect(userOf(primed)).toBe('USER 65532:65532');
  });

  test('belongs to that user in both: nobody else may read its files', () => {
    const copies = [...copiesOfApp(primed), ...copiesOfApp(image)];
    expect(copies).toEqual([
      'COPY --chown=65532:65532 --from=bundle /app /app',
      'COPY --chown=65532:65532 --from=primed /app /app',
    ]);
  });
});
