import * as z from 'zod';
import { main } from '../../../../infra/cli/main.ts';
import { anOutside } from '../outside.ts';
import { quickClock } from '../quick-clock.ts';
import { type Answers, serving } from './functions.ts';

const lineSchema = z.looseObject({
  check: z.string().optional(),
  outcome: z.string().optional(),
  answered: z.string().optional(),
});

/** Runs the command against a function; a second takes a few milliseconds. */
export async function tried(answers: Answers, ...args: string[]) {
  const { outside, written, folder } = await anOutside({ clock: quickClock(50) });
  const url = await serving(answers);
  const given = ['hook', 'test', url, '--deadline', '10', '-o', 'json', ...args];
  const code = await main(given, { ...outside, env: { PATH: process.env['PATH'] } });
  const lines = written.stdout
    .trimEnd()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)));
  const of = (outcome: string) => lines.filter((line) => line.outcome === outcome);
  return {
    code,
    failed: of('failed'),
    skipped: of('skipped'),
    noted: of('noted'),
    end: lines.at(-1),
    folder,
  };
}
