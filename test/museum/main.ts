#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import type { Exhibit } from './exhibit.ts';
import { exhibitOf, exhibits } from './museum.ts';
import { pathInRepository, planted, StaleExhibit } from './plant.ts';
import { listLine, summary, visitLine } from './report.ts';
import { openSuite, type Suite } from './run.ts';
import type { Verdict } from './verdict.ts';

/** With a mistake in it the code may come to no end. */
const longestVisitMilliseconds = 120_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

process.exit(await main(process.argv.slice(2)).catch(explain));

async function main(words: readonly string[]): Promise<number> {
  if (words.includes('--list')) {
    for (const exhibit of exhibits) say(listLine(exhibit));
    return 0;
  }
  const chosen = words.length === 0 ? exhibits : words.map((word) => exhibitOf(word));
  for (const exhibit of chosen) planted(exhibit, readFileSync(pathInRepository(exhibit.file), 'utf8'));
  const suite = await openSuite(chosen);
  try {
    return await visits(suite, chosen);
  } finally {
    await suite.close();
  }
}

async function visits(suite: Suite, chosen: readonly Exhibit[]): Promise<number> {
  const begun = performance.now();
  const failed = await suite.unchanged(chosen);
  if (failed.length > 0) {
    say(`The suite fails as it is, so that nothing can be told:\n${failed.join('\n')}`);
    return 1;
  }
  const verdicts: Verdict[] = [];
  for (const exhibit of chosen) {
    const verdict = await inTime(exhibit, suite.visit(exhibit));
    verdicts.push(verdict);
    say(visitLine(exhibit, verdict));
  }
  say(summary(verdicts, (performance.now() - begun) / 1_000));
  return verdicts.every(({ kind }) => kind === 'caught') ? 0 : 1;
}

/** A test that never ends cannot be stopped: the whole visit ends with it. */
async function inTime<T>({ number }: Exhibit, visit: Promise<T>): Promise<T> {
  const over = setTimeout(() => {
    say(`exhibit ${number} has come to no end in ${longestVisitMilliseconds / 1_000} s`);
    process.exit(1);
  }, longestVisitMilliseconds);
  try {
    return await visit;
  } finally {
    clearTimeout(over);
  }
}

function explain(error: unknown): number {
  const isForUsers = error instanceof StaleExhibit || error instanceof RangeError;
  const text =
    error instanceof Error ? (isForUsers ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`museum: ${text}\n`);
  return 1;
}
