import { BroadcastChannel } from 'node:worker_threads';

/** Between Stryker's process and the thread in it that keeps the tests loaded. */
export interface Channel<Said, Heard> {
  say: (message: Said) => void;
  /** What is heard next. */
  next(): Promise<Heard>;
  close: () => void;
}

export function openChannel<Said, Heard>(): Channel<Said, Heard> {
  const channel = new BroadcastChannel('mutation');
  return {
    say: channel.postMessage.bind(channel),
    next: () =>
      new Promise((resolve) => {
        const hear = (event: Event): void => resolve(Reflect.get(event, 'data'));
        channel.addEventListener('message', hear, { once: true });
      }),
    close: () => channel.close(),
  };
}
