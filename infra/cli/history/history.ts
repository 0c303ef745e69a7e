import { asData } from '../../terminal/output.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { printable } from '../../terminal/words.ts';
import { askWays } from './ask-ways.ts';
import { type Found, findHistories } from './found.ts';
import { type HistoryOptions, readHistoryOptions } from './options.ts';
import { asJson, historyLines } from './report.ts';
import { waysTo, withoutNamespace } from './ways.ts';

/** `phaseout history`. Resolves with the exit code; throws what main knows how to say. */
export async function history(args: readonly string[], outside: Outside): Promise<number> {
  const options = readHistoryOptions(args, outside.clock.now());
  await using closing = new AsyncDisposableStack();
  const ways = waysTo(options, outside);
  const asked = await askWays(ways, ({ archive }) => findHistories(archive, options), closing);
  if ('answer' in asked) {
    const { where, answer: found } = asked;
    const lacks = found.length > 0 ? undefined : await withoutNamespace(options, outside, closing);
    return tell({ where, found, lacks }, options, outside);
  }
  const lacking = asked.lacking.map(({ way, why }) => printable(`${way}: ${why}`));
  return tellUnread(lacking, options, outside);
}

interface Answer {
  where: string;
  found: readonly Found[];
  /** Why nothing was found, where that is known. */
  lacks: string | undefined;
}

/** What was not read is not said to be absent. */
function tellUnread(
  lacking: readonly string[],
  { form }: HistoryOptions,
  { stdout, stderr }: Outside,
): number {
  const data = asData(form, () => ({ notRead: lacking }));
  if (data !== undefined) stdout.write(data);
  else stderr.write(`phaseout: the history was not read\n${lacking.map((line) => `  ${line}\n`).join('')}`);
  return 3;
}

function tell({ where, found, lacks }: Answer, options: HistoryOptions, outside: Outside): number {
  const { stdout } = outside;
  const data = asData(options.form, () => ({ where, histories: found.map(asJson) }));
  if (data !== undefined) stdout.write(data);
  else if (found.length > 0) stdout.write(`${historyLines(found, paintFor(stdout, outside)).join('\n')}\n`);
  if (found.length > 0) return 0;
  if (data !== undefined) return 1;
  const why = lacks === undefined ? hintFor(options) : ` And ${lacks}`;
  throw new CannotDo(`${where} has no history of ${options.asked}.${why}`);
}

const hintFor = ({ wanted }: HistoryOptions): string =>
  wanted.clue.kind === 'uid'
    ? ' It is kept for 30 days'
    : ' It is kept for 30 days; that of a deletion by an older version is found by the UID of the Machine only';
