import type { EventStream } from '../../../infra/local/kubernetes/server/request.ts';
import type { WireBody } from '../../../shared/adapters/kubernetes/wire.ts';
import type { Exchange } from './exchange.ts';
import { createFeed } from './feed.ts';
import { invented } from './invented.ts';

/** A watch that is open, and what may happen to it in mid-life. */
export interface SimulatedWatch {
  exchange: Exchange;
  /** A line arrives, with its end, that the server did not send. */
  claim(line: string): void;
  /** From now on nothing arrives, and it does not end. */
  silence(): void;
  /** The connection ends; lines on their way are lost. */
  cut(): void;
  /** After what is on its way the server reports that it no longer knows what comes next, and ends it. */
  expire(): void;
}

export interface WatchParts {
  exchange: Exchange;
  stream: EventStream;
  /** A scheduling point before each line. */
  step: () => Promise<void>;
  /** Called when nothing more will come of it. */
  over: (watch: OpenWatch) => void;
}

export interface OpenWatch extends SimulatedWatch {
  body: WireBody;
  /** Its answer has arrived: lines may follow. */
  begin(): void;
  /** The instance is gone: the connection breaks with this error. If the reader is gone too, it breaks without one. */
  abandon(error?: unknown): void;
}

const expired = invented({ status: 410, reason: 'Expired', message: 'too old resource version' });
const tooOld = `{"type":"ERROR","object":${expired.body}}\n`;

/** Each line travels on its own, in order. */
export function openWatch({ exchange, stream, step, over }: WatchParts): OpenWatch {
  const feed = createFeed(() => close());
  let travelling: (() => void)[] = [];
  let isUnderWay = false;
  let isOver = false;

  const carry = async (): Promise<void> => {
    isUnderWay = true;
    while (travelling.length > 0) {
      await step();
      travelling.shift()?.();
    }
    isUnderWay = false;
  };
  const send = (arrive: () => void): void => {
    travelling.push(arrive);
    if (!isUnderWay) void carry();
  };
  const close = (): void => {
    isOver = true;
    travelling = [];
    stream.close();
    over(watch);
  };
  const end = (): void => {
    feed.end();
    close();
  };

  const watch: OpenWatch = {
    exchange,
    body: feed,
    begin() {
      // Of a stream that was closed meanwhile what stood in it already would still come, and its end.
      if (isOver) return;
      stream.read(
        (line) => send(() => feed.push(line)),
        () => send(end),
      );
    },
    claim(line) {
      if (!isOver) send(() => feed.push(line));
    },
    silence: close,
    cut() {
      if (isOver) return;
      close();
      send(end);
    },
    expire() {
      if (isOver) return;
      send(() => feed.push(tooOld));
      send(end);
    },
    abandon(error) {
      close();
      if (error !== undefined) feed.fail(error);
    },
  };
  return watch;
}
