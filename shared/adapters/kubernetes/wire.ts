import type { CredentialSource, TlsMaterial } from './credentials.ts';

/** One HTTP request, ready to be sent. */
export interface WireRequest {
  origin: string;
  /** With its query. */
  path: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body: string | null;
  /** Once it is aborted, the answer is not awaited any more. */
  signal: AbortSignal;
  /** Known before the signal is aborted, where the process stood still. */
  isOver: () => boolean;
}

export interface WireAnswer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: WireBody;
}

/** Read once, as a whole or bit by bit. */
export interface WireBody extends AsyncIterable<string> {
  text(): Promise<string>;
  /** The rest is not wanted. */
  destroy(): void;
}

/**
 * What a request is sent over: requests wait their turn there, watches do not. Evictions have waited for theirs before.
 * They would keep reads waiting: an answer to one may take ten seconds.
 */
export type Lane = 'requests' | 'evictions' | 'watches';

/** Sends requests to one API server and knows nothing of what they mean. */
export interface Wire {
  /**
   * Rejects when no answer comes, as sockets do: with a `code` that tells a lost connection from others. And as soon as the
   * signal is aborted, wherever the request is by then.
   */
  send(request: WireRequest, lane: Lane, tls: TlsMaterial): Promise<WireAnswer>;
  /** Lets requests under way finish and breaks off watches; whatever is sent later is rejected. */
  close(): Promise<void>;
}

/** `connectMilliseconds`: how long a connection may take to come about. */
export type OpenWire = (source: CredentialSource, connectMilliseconds: number) => Wire;
