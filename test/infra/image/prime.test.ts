import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const main = join(import.meta.dirname, '../../../infra/image/prime/main.ts');

test.each([[[]], [['main.cjs', 'more.cjs']]])('image:prime does not understand %j', (args) => {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'image:prime takes one file: main.cjs of the image\n',
  });
});
