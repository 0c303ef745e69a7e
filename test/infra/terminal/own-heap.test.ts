import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';

const source = new URL('../../../infra/terminal/own-heap.ts', import.meta.url).href;

/** MiB of the heap: the most while much is made, kept for a moment and dropped, and in the end. */
const held = z.object({ most: z.number(), later: z.number() });

/** What `makeRoom` makes for young objects. */
const roomMebibytes = 8;

/** In a process of its own: what is set is set for all of it. */
async function holding(before: string, after: string): Promise<z.infer<typeof held>> {
  const program = `
    const { ownHeap: heap } = await import(${JSON.stringify(source)});
    const mebibytes = () => process.memoryUsage().heapTotal / 2 ** 20;
    ${before};
    let most = 0;
    let kept = [];
    for (let index = 0; index < 400; index += 1) {
      kept.push(Array.from({ length: 10_000 }, (_, each) => ({ each })));
      kept = kept.slice(-20);
      most = Math.max(most, mebibytes());
    }
    kept = [];
    ${after};
    console.log(JSON.stringify({ most, later: mebibytes() }));
  `;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', program]);
  return held.parse(JSON.parse(stdout));
}

test('what is made and dropped takes less than half of what V8 takes, beside room for the young, and is given back', async () => {
  const usual = await holding('', '');
  const small = await holding('heap.keepSmall(); heap.makeRoom()', 'heap.giveBack()');

  expect(small.most - roomMebibytes).toBeLessThan(usual.most / 2);
  expect(usual.later).toBeGreaterThan(usual.most / 2);
  expect(small.later).toBeLessThan(small.most / 2);
});
