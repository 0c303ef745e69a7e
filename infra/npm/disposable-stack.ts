/** In place of Node's own AsyncDisposableStack, which Node 22 does not have: as much of it as is used here. */
export class Stack implements AsyncDisposable {
  #ends: (() => unknown)[] = [];
  #disposed = false;

  /** From the moment on at which the end begins. */
  get disposed(): boolean {
    return this.#disposed;
  }

  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Last in, first out, each one though others fail. Throws the last failure, which leads to those before it. */
  async disposeAsync(): Promise<void> {
    this.#disposed = true;
    const ends = this.#ends.splice(0).toReversed();
    const failures: unknown[] = [];
    for (const end of ends) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.reduce(suppressing);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

/** What SuppressedError is in later versions of Node. */
const suppressing = (suppressed: unknown, error: unknown): Error =>
  Object.assign(new Error('An error was suppressed during disposal'), {
    name: 'SuppressedError',
    error,
    suppressed,
  });
