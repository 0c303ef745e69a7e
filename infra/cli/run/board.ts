import type { Clock } from '../../../shared/time/clock.ts';
import type { Output, Outside } from '../../terminal/outside.ts';
import { type Paint, paintFor } from '../../terminal/paint.ts';
import { printable } from '../../terminal/words.ts';
import type { RunOptions } from '../options.ts';
import { comparisonLines } from './beside.ts';
import { boardLines } from './board-lines.ts';
import type { Journey } from './progress.ts';
import type { Arrangement, Reporter } from './reporter.ts';
import { outcomeLine, requestLine, timeline } from './timeline.ts';

const betweenDrawings = 80;
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
    complain: (text) => panel.print([text.trimEnd()]),
    close() {
      stopRefreshing?.();
      panel.close();
    },
  };
}

const title = ({ subject, url }: Arrangement, paint: Paint): string =>
  `${paint('bold', 'phaseout')}  ${subject}  ${paint('dim', url)}`;

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';

/** Lines that are redrawn below the lines that stay. */
class Panel {
  draw: (width: number, height: number) => string[] = () => [];
  readonly #output: Output;
  readonly #clock: Clock;
  #shown = 0;
  #drawnAt = -betweenDrawings;
  #cancel: (() => void) | undefined;

  constructor(output: Output, clock: Clock) {
    this.#output = output;
    this.#clock = clock;
  }

  /** Draws again, soon: many changes make one drawing. */
  change(): void {
    const wait = Math.max(0, this.#drawnAt + betweenDrawings - this.#clock.now());
    this.#cancel ??= this.#clock.after(wait, () => this.#redraw([]));
  }

  /** Puts lines that stay above the board. */
  print(lines: readonly string[]): void {
    this.#redraw(lines);
  }

  close(): void {
    this.#cancel?.();
    this.#output.write(`${this.#erasure()}${showCursor}`);
    this.#shown = 0;
    this.draw = () => [];
  }

  #redraw(above: readonly string[]): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#drawnAt = this.#clock.now();
    // Terminals that do not tell their size say 0.
    const [width, height] = [this.#output.columns || 80, (this.#output.rows || 24) - 1];
    const board = this.draw(width, height).slice(0, height);
    const erasure = this.#erasure();
    this.#shown = board.length;
    this.#output.write(`${hideCursor}${erasure}${[...above, ...board].map((line) => `${line}\n`).join('')}`);
  }

  #erasure(): string {
    return this.#shown === 0 ? '' : `\u001B[${this.#shown}A\u001B[J`;
  }
}
