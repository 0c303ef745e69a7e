import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeFormerImageAway } from '../../../infra/image/former-image.ts';

let parent: string;
beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'former-image-'))));
afterEach(() => rmSync(parent, { recursive: true }));

function folderWith(...files: string[]): string {
  const folder = join(parent, 'out');
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'text');
  }
  return folder;
}

const filesIn = (folder: string) => readdirSync(folder, { encoding: 'utf8', recursive: true }).toSorted();

describe('the folder of an image', () => {
  test('is emptied of the image of before', async () => {
    const folder = folderWith('main.cjs', 'process-1a.cjs', 'sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt');
    await takeFormerImageAway(folder);
    expect(filesIn(folder)).toEqual([]);
  });

  test('may be missing', async () => {
    await expect(takeFormerImageAway(join(parent, 'out'))).resolves.toBeUndefined();
  });

  test.each<[string, string[], string]>([
    ['files of somebody else beside an image', ['main.cjs', 'notes.txt', 'sbom.cdx.json'], 'notes.txt'],
    ['a folder beside an image', ['sbom.cdx.json', 'src/main.cjs'], 'src/'],
    ['scripts without the list of an image', ['main.cjs'], 'main.cjs'],
  ])('is left as it is with %s', async (_, files, foreign) => {
    const folder = folderWith(...files);
    const before = filesIn(folder);
    await expect(takeFormerImageAway(folder)).rejects.toThrow(
      `${folder} holds ${foreign}, which is of no image: choose another folder with --out`,
    );
    expect(filesIn(folder)).toEqual(before);
  });

  test('is no file', async () => {
    const file = join(folderWith('README.md'), 'README.md');
    await expect(takeFormerImageAway(file)).rejects.toThrow(`${file}: not a directory`);
    expect(filesIn(dirname(file))).toEqual(['README.md']);
  });
});

describe('npm run image', () => {
  const main = join(import.meta.dirname, '../../../infra/image/main.ts');
  const image = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    return { status, stderr };
  };

  test.each<[string[], string]>([
    [['--output', 'x'], "image: Unknown option '--output'\n"],
    [['--out', ''], 'image: --out takes a folder\n'],
  ])('does not understand %j', (args, stderr) => {
    expect(image(...args)).toEqual({ status: 2, stderr });
  });

  test('says which folder it cannot use', () => {
    const folder = folderWith('letters.txt');
    const stderr = `image: ${folder} holds letters.txt, which is of no image: choose another folder with --out\n`;
    expect(image('--out', folder)).toEqual({ status: 1, stderr });
  });
});
