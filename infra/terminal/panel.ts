import type { Clock } from '../../shared/time/clock.ts';
import type { Output } from './outside.ts';

const betweenDrawings = 80;
const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';

/** Lines that are redrawn below the lines that stay. */
export class Panel {
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
