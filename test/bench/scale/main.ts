import { UsageError } from '../../simulation/command/options.ts';
import { heldForEachMachine } from './memory.ts';
import { type Options, readOptions, usage } from './options.ts';
import { play } from './play.ts';
import { type Result, resultOf } from './result.ts';
import type { Setting } from './setting.ts';
import { nameOf, tablesOf } from './table.ts';

async function main(args: readonly string[]): Promise<number> {
  try {
    await run(readOptions(args));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
}

async function run(options: Options): Promise<void> {
  if (options.help) return void process.stdout.write(usage);
  const results: Result[] = [];
  for (const setting of settingsOf(options)) results.push(await measured(setting));
  const text = options.output === 'json' ? `${JSON.stringify(results, undefined, 2)}\n` : tablesOf(results);
  process.stdout.write(text);
}

const settingsOf = ({ deleted, instances, output: _output, help: _help, ...rest }: Options): Setting[] =>
  deleted.flatMap((each) => instances.map((count) => ({ ...rest, ...each, instances: count })));

async function measured(setting: Setting): Promise<Result> {
  const begun = performance.now();
  const held = await heldForEachMachine(setting);
  const played = await play(setting);
  const { world } = played;
  const result = resultOf(played, held);
  world.end();
  for (const complaint of new Set(world.complaints)) process.stderr.write(`${complaint}\n`);
  const real = ((performance.now() - begun) / 1_000).toFixed(0);
  process.stderr.write(`${nameOf(setting)}, instances: ${setting.instances}: played in ${real} s\n`);
  return result;
}

process.exitCode = await main(process.argv.slice(2));
