import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readManifests } from '../../../infra/terminal/manifests.ts';

/** Files by their names; the answer is the folder they are in. */
async function aFolder(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;
const asJson = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

describe('reading manifests', () => {
  it.each([
    ['one document', { 'a.yaml': pod('one') }, ['one a.yaml:1']],
    ['several documents', { 'a.yaml': `${pod('one')}---\n${pod('two')}` }, ['one a.yaml:1', 'two a.yaml:5']],
    ['documents with nothing in them', { 'a.yml': `---\n---\n# no\n---\n${pod('one')}` }, ['one a.yml:5']],
    ['JSON', { 'a.json': asJson('one') }, ['one a.json:1']],
    [
      'Lists as kubectl prints them',
      { 'a.json': `{"apiVersion":"v1","kind":"List","items":[${asJson('one')},${asJson('two')}]}` },
      ['one a.json:1 items[0]', 'two a.json:1 items[1]'],
    ],
    [
      'folders with all below them, other files left aside',
      { 'b/c/two.yaml': pod('two'), 'a.yaml': pod('one'), 'README.md': 'no manifest' },
      ['one a.yaml:1', 'two b/c/two.yaml:1'],
    ],
  ])('takes %s', async (_what, files, expected) => {
    const folder = await aFolder(files);
    const manifests = await readManifests([folder]);
    const found = manifests.map(
      ({ from, object }) => `${object.metadata.name} ${from.replace(`${folder}/`, '')}`,
    );
    expect(found).toEqual(expected);
  });

  it.each([
    ['a folder without manifests', { 'README.md': '' }, 'no .yaml, .yml or .json file in '],
    ['what is no YAML', { 'a.yaml': 'a: [' }, 'a.yaml: '],
    [
      'a document without a kind',
      { 'a.yaml': 'apiVersion: v1\nmetadata: { name: x }' },
      'a.yaml:1: kind: is missing',
    ],
    [
      'a document whose name is still to be generated',
      { 'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { generateName: x- }' },
      'a.yaml:1: metadata.name: is missing (a generateName is not enough)',
    ],
    [
      'a document without a name',
      { 'a.yaml': `${pod('one')}---\n${pod('""')}` },
      'a.yaml:5: metadata.name: ',
    ],
    [
      'aliases that unfold without end',
      {
        'a.yaml': [
          'a: &a [x, x, x, x, x, x, x, x, x, x]',
          'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]',
          'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]',
          'd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]',
        ].join('\n'),
      },
      'a.yaml:1: Excessive alias count',
    ],
    ['a document that is a text', { 'a.yaml': 'hello' }, 'a.yaml:1: the document: is no object'],
    [
      'a list of what is none',
      { 'a.json': '{"kind":"List","items":[1]}' },
      'a.json:1 items[0]: the document: is no object',
    ],
  ])('refuses %s, saying where', async (_what, files, message) => {
    const reading = readManifests([await aFolder(files)]);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toMatchObject({ name: 'ManifestUnreadable' });
  });

  it('refuses a path that leads nowhere', async () => {
    await expect(readManifests(['/nowhere'])).rejects.toThrow('/nowhere: no such file or directory');
  });
});
