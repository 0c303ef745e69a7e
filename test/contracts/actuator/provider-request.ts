import type { ProviderApp } from '../../../infra/local/provider/app.ts';

/** What `fetch` would send, as the app of a provider takes it. */
export function providerRequest(
  url: string,
  { method = '', headers, body }: RequestInit,
): Parameters<ProviderApp>[0] {
  const sent = new Headers(headers);
  return {
    method,
    path: new URL(url).pathname,
    contentType: sent.get('content-type') ?? undefined,
    authorization: sent.get('authorization') ?? undefined,
    body: typeof body === 'string' ? body : undefined,
  };
}
