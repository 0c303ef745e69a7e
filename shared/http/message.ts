/** Headers with lower-case names. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** A request, whatever it came over. */
export interface HttpRequest {
  method: string;
  /** Without the query. */
  path: string;
  /** Without its `?`; none is as good as an empty one. */
  query?: string;
  headers: Headers;
  /** The body, or only how many bytes it has when they are more than the limit. May be called once. */
  readBody(limitBytes: number): Promise<Uint8Array | number>;
}

/** A response before it is written to a socket. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export function text(status: number, body: string, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}
