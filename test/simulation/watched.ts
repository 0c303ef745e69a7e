import type { Observer } from './observer.ts';

/** What observers watch: they are called for what happens, and report what must never happen. */
export class Watched {
  readonly observers: Observer[] = [];
  /** What must never happen and has; the first one counts. */
  readonly violations: string[] = [];

  /** Reports what somebody beside phaseout did. */
  say(who: string, what: string): void {
    this.tell((observer) => observer.said?.(who, what));
  }

  violate(invariant: string, what: string): void {
    this.violations.push(`${invariant}: ${what}`);
  }

  /** A mistake of the simulation's own must not pass for one of the simulated code. */
  mistaken(error: unknown): void {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.violate('the simulation itself', what);
  }

  /** Whatever could go has gone; what is left is held by something that only somebody else can take away. */
  standStill(): void {
    this.tell((observer) => observer.stoodStill?.());
  }

  /** Nothing is being deleted any more, and everything has had time to settle. */
  quiet(): void {
    this.tell((observer) => observer.quiet?.());
  }

  protected readonly tell = (tell: (observer: Observer) => void): void => {
    for (const observer of this.observers) tell(observer);
  };
}
