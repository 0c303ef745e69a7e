import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { explained } from './explained.ts';
import { toMutant } from './mutant.ts';
import { pureCore, strykerOptions } from './options.ts';
import { report } from './report.ts';
import { scoreOf } from './score.ts';
import { tellApart } from './survivors.ts';

const wantedPercent = 85;

const { values } = parseArgs({ options: { mutate: { type: 'string', multiple: true } } });
const mutate = values.mutate?.flatMap((globs) => globs.split(',')) ?? pureCore;

const results = await new Stryker(strykerOptions(mutate)).runMutationTest();
const mutants = results.map(toMutant);
const told = tellApart(mutants, explained);
console.log(report(mutants, told).join('\n'));
if (told.unexplained.length > 0) process.exitCode = 1;
if (scoreOf(mutants).percent < wantedPercent) {
  console.log(`\nBelow ${wantedPercent} %.`);
  process.exitCode = 1;
}
