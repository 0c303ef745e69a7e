import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { printable } from '../../terminal/words.ts';
import { askWays } from './ask-ways.ts';
import { type Found, findHistories } from './found.ts';
import { type HistoryOptions, readHistoryOptions } from './options.ts';
import { asJson, historyLines } from './report.ts';
import { waysTo } from './ways.ts';

/** `phaseout history`. Resolves with the exit code; throws what main knows how to say. */
export async function history(args: readonly string[], outside: Outside): Promise<number> {
  const options = readHistoryOptions(args, outside.clock.now());
  await using closing = new AsyncDisposableStack();
  const ways = waysTo(options, outside);
  const asked = await askWays(ways, ({ archive }) => findHistories(archive, options), closing);
  if ('answer' in asked) return tell({ where: asked.where, found: asked.answer }, options, outside);
  const lacking = asked.lacking.map(({ way, why }) => printable(`${way}: ${why}`));
  return tellUnread(lacking, options, outside);
}

interface Answer {
  where: string;
  found: readonly Found[];
}

/** What was not read is not said to be absent. */
function tellUnread(
  lacking: readonly string[],
  { json }: HistoryOptions,
  { stdout, stderr }: Outside,
): number {
  if (json) stdout.write(`${JSON.stringify({ notRead: lacking })}\n`);
  else stderr.write(`phaseout: the history was not read\n${lacking.map((line) => `  ${line}\n`).join('')}`);
  return 3;
}

function tell({ where, found }: Answer, options: HistoryOptions, outside: Outside): number {
  const { stdout } = outside;
  if (options.json) stdout.write(`${JSON.stringify({ where, histories: found.map(asJson) })}\n`);
  else if (found.length > 0) stdout.write(`${historyLines(found, paintFor(stdout, outside)).join('\n')}\n`);
  if (found.length > 0) return 0;
  if (options.json) return 1;
  throw new CannotDo(`${where} has no history of ${options.asked}.${hintFor(options)}`);
}

const hintFor = ({ wanted }: HistoryOptions): string =>
  wanted.clue.kind === 'uid'
    ? ' It is kept for 30 days'
    : ' It is kept for 30 days; that of a deletion by an older version is found by the UID of the Machine only';
