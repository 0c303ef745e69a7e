import type { EventStream } from '../server/request.ts';

/** Lines that wait for a reader, then go straight to it. */
export class Lines implements EventStream {
  #waiting: string[] = [];
  #onLine: ((line: string) => void) | undefined;
  #onEnd: (() => void) | undefined;
  readonly #stops: (() => void)[] = [];
  isEnded = false;

  read(onLine: (line: string) => void, onEnd: () => void): void {
    this.#onLine = onLine;
    this.#onEnd = onEnd;
    for (const line of this.#waiting) onLine(line);
    this.#waiting = [];
    if (this.isEnded) onEnd();
  }

  close(): void {
    this.#onEnd = undefined;
    this.end();
  }

  write(line: string): void {
    if (this.isEnded) return;
    if (this.#onLine) this.#onLine(line);
    else this.#waiting.push(line);
  }

  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    for (const stop of this.#stops) stop();
    this.#onEnd?.();
  }

  onStop(stop: () => void): void {
    this.#stops.push(stop);
  }
}
