import { Stryker } from '@stryker-mutator/core';
import { readCommandLine, usage } from './command-line.ts';
import { explained } from './explained.ts';
import { toMutant } from './mutant.ts';
import { pureCore, strykerOptions } from './options.ts';
import { report } from './report.ts';
import { scoreOf } from './score.ts';
import { tellApart } from './survivors.ts';

const wantedPercent = 85;

const commandLine = readCommandLine(process.argv.slice(2));
if (commandLine.kind === 'help') process.stdout.write(usage);
else if (commandLine.kind === 'refused') complain(commandLine.why, 2);
else await mutate(commandLine.globs ?? pureCore);

async function mutate(globs: readonly string[]): Promise<void> {
  const results = await new Stryker(strykerOptions(globs)).runMutationTest();
  const mutants = results.map(toMutant);
  if (mutants.length === 0) {
    complain(`there is nothing to change in ${globs.join(', ')}`, 1);
    return;
  }
  const told = tellApart(mutants, explained);
  console.log(report(mutants, told).join('\n'));
  if (told.unexplained.length > 0) process.exitCode = 1;
  if (scoreOf(mutants).percent < wantedPercent) {
    console.log(`\nBelow ${wantedPercent} %.`);
    process.exitCode = 1;
  }
}

function complain(what: string, code: number): void {
  process.stderr.write(`mutation: ${what}\n`);
  process.exitCode = code;
}
