import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readManifests } from '../../../infra/terminal/manifests.ts';

/** Files by their names; the answer is the folder they are in. */
async function aFolder(files: Record<string, string | Uint8Array>): Promise<string> {
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
      'JSON documents one after the other',
      { 'a.json': `${asJson('one')}\n${asJson('two')}{"kind":"List","items":[${asJson('three')}]}\n` },
      ['one a.json:1', 'two a.json:2', 'three a.json:2 items[0]'],
    ],
    [
      'JSON documents with lines between them',
      { 'a.json': `${asJson('one')}\n---\n${asJson('two')}\n---\n` },
      ['one a.json:1', 'two a.json:3'],
    ],
    [
      'JSON with braces and quotes in its texts',
      { 'a.json': `${asJson('one').replace('"v1"', '"v1","note":"}\\\\\\"{"')}${asJson('two')}` },
      ['one a.json:1', 'two a.json:1'],
    ],
    [
      'JSON, and YAML behind it',
      { 'a.yaml': `${asJson('one')}\n---\n${pod('two')}` },
      ['one a.yaml:1', 'two a.yaml:3'],
    ],
    [
      'a flow mapping of YAML',
      { 'a.yaml': '{apiVersion: v1, kind: Pod, metadata: {name: one}}' },
      ['one a.yaml:1'],
    ],
    [
      'lines that end as on Windows',
      { 'a.yaml': `${pod('one')}---\n${pod('two')}`.replaceAll('\n', '\r\n') },
      ['one a.yaml:1', 'two a.yaml:5'],
    ],
    [
      'a mark of byte order',
      { 'a.yaml': `\uFEFF${pod('one')}`, 'b.json': `\uFEFF${asJson('two')}` },
      ['one a.yaml:1', 'two b.json:1'],
    ],
    [
      'a List of Lists, and Lists of nothing',
      {
        'a.yaml':
          'kind: List\nitems:\n- kind: List\n  items:\n  - {apiVersion: v1, kind: Pod, metadata: {name: one}}\n- {kind: PodList, items: null}\n',
        'b.json': '{"apiVersion":"v1","kind":"List","items":null}',
        'c.json': '{"apiVersion":"v1","kind":"List"}',
      },
      ['one a.yaml:1 items[0] items[0]'],
    ],
    [
      'a list of one kind, whose items leave the kind out',
      { 'a.json': '{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"one"}}]}' },
      ['one a.json:1 items[0]'],
    ],
    [
      'the last one of a name',
      { 'a.yaml': pod('one'), 'b.yaml': `${pod('two')}---\n${pod('one')}` },
      ['one b.yaml:5', 'two b.yaml:1'],
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
    [
      'an empty file',
      { 'a.yaml': pod('one'), 'b.yaml': '' },
      'b.yaml: no object is in it: it is empty, or has only comments',
    ],
    ['a file of comments', { 'a.yaml': '# nothing\n' }, 'a.yaml: no object is in it'],
    ['a file of nothing but a mark', { 'a.yaml': '---\n' }, 'a.yaml: no object is in it'],
    ['a file of null', { 'a.json': 'null\n' }, 'a.json: no object is in it'],
    [
      'an item that is null',
      { 'a.yaml': 'kind: List\nitems: [null]\n' },
      'a.yaml:1 items[0]: the document: is no object',
    ],
    [
      'a second document without its mark',
      { 'a.yaml': `${pod('one')}${pod('two')}` },
      'a.yaml:4: a second document begins here: put a line --- before it',
    ],
    [
      'JSON that is cut off',
      { 'a.json': asJson('one').slice(0, -2) },
      'a.json: Flow map in block collection must be sufficiently indented and end with a }',
    ],
    [
      'an annotation that is a number',
      { 'a.yaml': `${pod('one')}---\n${pod('two, annotations: { count: 5 }')}` },
      'a.yaml:5: metadata.annotations.count: must be a text, and is a number: write "5", in quotes',
    ],
    [
      'an annotation that is a boolean of YAML 1.1',
      { 'a.yaml': pod('one, annotations: { own: yes }') },
      'a.yaml:1: metadata.annotations.own: must be a text, and is a boolean: write "true", in quotes',
    ],
    [
      'a label that is a map',
      { 'a.yaml': pod('one, labels: { a: { b: c } }') },
      'a.yaml:1: metadata.labels.a: must be a text, and is a map',
    ],
    [
      'a name that is a number',
      { 'a.yaml': pod('5') },
      'a.yaml:1: metadata.name: must be a text, and is a number: write "5", in quotes',
    ],
    [
      'finalizers that are a text',
      { 'a.yaml': pod('one, finalizers: a/b') },
      'a.yaml:1: metadata.finalizers: must be a list',
    ],
    [
      'a finalizer that is null',
      { 'a.yaml': pod('one, finalizers: [null]') },
      'a.yaml:1: metadata.finalizers.0: must be a text, and is null',
    ],
    [
      'a deletion at no time',
      { 'a.yaml': pod('one, deletionTimestamp: 2026-11-28') },
      'a.yaml:1: metadata.deletionTimestamp: must be a time of RFC 3339, such as 2026-11-28T05:00:00Z',
    ],
    [
      'a null in a list of a kind that Kubernetes has',
      { 'a.yaml': `${pod('one')}spec: { tolerations: [null] }\n` },
      'a.yaml:1: spec.tolerations[0]: is null, and must have a value',
    ],
    [
      'a selector of a kind that Kubernetes has, with a number',
      {
        'a.yaml':
          'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: x }\nspec: { selector: { matchLabels: { a: 1 } } }\n',
      },
      'a.yaml:1: spec.selector.matchLabels.a: must be a text, and is a number: write "1", in quotes',
    ],
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

  it('says what the last one of a name takes the place of, where they differ', async () => {
    const folder = await aFolder({
      'a.yaml': pod('one'),
      'b.yaml': pod('one, labels: { a: b }'),
      'c.yaml': pod('two'),
      'd.yaml': pod('two'),
    });
    const manifests = await readManifests([folder]);
    const found = manifests.map(({ object, replaces }) => [
      object.metadata.name,
      replaces?.replace(`${folder}/`, ''),
    ]);
    expect(found).toEqual([
      ['one', 'a.yaml:1'],
      ['two', undefined],
    ]);
  });

  it.each(['utf-16le', 'utf-16be'] as const)('reads a file in %s, as some shells write', async (encoding) => {
    const bytes = Buffer.from(`\uFEFF${pod('one')}`, 'utf16le');
    const folder = await aFolder({ 'a.yaml': encoding === 'utf-16le' ? bytes : bytes.swap16() });
    const [manifest] = await readManifests([folder]);
    expect(manifest?.object.metadata.name).toBe('one');
  });

  it('refuses a path that leads nowhere', async () => {
    await expect(readManifests(['/nowhere'])).rejects.toThrow('/nowhere: no such file or directory');
  });
});
