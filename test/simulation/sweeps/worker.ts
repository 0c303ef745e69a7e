import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { type Part, partSchema, type Report } from './part.ts';
import { storiesWith } from './stories.ts';
import { sweepStory } from './sweep-story.ts';

/** Tells of each story when it is through with it. */
async function play({ sweeps, stories, seeds, first, step }: Part, tell: (report: Report) => void) {
  const chosen = storiesWith(seeds).filter(({ name }) => stories.includes(name));
  for (const story of chosen)
    for (const report of await sweepStory(story, sweeps, (index) => index % step === first)) tell(report);
}

await play(z.parse(partSchema, workerData), (report) => parentPort?.postMessage(report, []));
