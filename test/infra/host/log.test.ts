import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const sources = ['functions', 'shared', 'infra/host'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8')),
);

/** Where a line has a part that varies, as the README writes it and as the code does. */
const varying: readonly [string, string][] = [
  ['requeuing in 20s', 'requeuing in ${again}'],
  ['Deleting <kind>', 'Deleting ${effect.what}'],
  ['Drain completed, remaining Pods', ', remaining Pods'],
];

const isWritten = (message: string) => sources.some((source) => source.includes(message));

test('the lines of the log that the README names are lines that the code writes', () => {
  const text = readFileSync(join(root, 'infra/host/README.md'), 'utf8');
  const table = text.slice(text.indexOf('| msg |')).split('\n\n')[0] ?? '';
  const named = table
    .split('\n')
    .slice(2)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)]);
  const messages = named.map(([, message = '']) =>
    varying.reduce((said, [written, coded]) => said.replace(written, coded), message),
  );
  expect(messages.length).toBeGreaterThan(15);
  expect(messages.filter((message) => !isWritten(message))).toEqual([]);
});
