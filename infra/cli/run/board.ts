import type { Outside } from '../../terminal/outside.ts';
import { type Paint, paintFor } from '../../terminal/paint.ts';
import { Panel } from '../../terminal/panel.ts';
import { printable } from '../../terminal/words.ts';
import type { RunOptions } from '../options.ts';
import { comparisonLines } from './beside.ts';
import { boardLines } from './board-lines.ts';
import type { Journey } from './progress.ts';
import { type Arrangement, keptLines, type Reporter } from './reporter.ts';
import { outcomeLine, requestLine, timeline } from './timeline.ts';

/** Durations on the board grow even if nothing happens. */
const refreshMilliseconds = 250;

/** A board at the bottom of a terminal that shows every deletion as it is now. */
export function boardReporter(outside: Outside, options: Pick<RunOptions, 'timeline'>): Reporter {
  const { stdout, clock } = outside;
  const paint = paintFor(stdout, outside);
  const panel = new Panel(stdout, clock);
  let arranged: Arrangement | undefined;
  let stopRefreshing: (() => void) | undefined;

  const refresh = (): void => {
    panel.change();
    stopRefreshing = clock.after(refreshMilliseconds, refresh);
  };
  const ending = (journey: Journey): string[] =>
    options.timeline
      ? [...timeline(journey, clock.now(), paint), '']
      : [outcomeLine(journey, clock.now(), paint)];
  return {
    begin(arrangement) {
      arranged = arrangement;
      panel.print([
        title(arrangement, paint),
        ...(arrangement.page === undefined ? [] : [paint('dim', `  page  ${arrangement.page}`)]),
        ...arrangement.notes.map((note) => paint('dim', `  ${printable(note)}`)),
        '',
      ]);
      panel.draw = (width, height) => boardLines(arrangement, { now: clock.now(), width, height, paint });
      refresh();
    },
    serving: ({ lines }) => panel.print([...lines, '']),
    changed: () => panel.change(),
    other: () => panel.change(),
    gone: (journey) => panel.print(ending(journey)),
    end(left) {
      panel.print(left.flatMap(ending));
      if (arranged !== undefined) panel.print([requestLine(arranged.requests())]);
    },
    compared: (comparisons) => panel.print(comparisonLines(comparisons)),
    kept(page) {
      panel.print(keptLines(page));
      // All is over: a clock that goes on would say otherwise.
      stopRefreshing?.();
      panel.close();
    },
    complain: (text) => panel.print([text.trimEnd()]),
    close() {
      stopRefreshing?.();
      panel.close();
    },
  };
}

const title = ({ subject, url }: Arrangement, paint: Paint): string =>
  `${paint('bold', 'phaseout')}  ${subject}  ${paint('dim', url)}`;
