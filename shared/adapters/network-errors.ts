/** What went wrong below HTTP, in one line that never contains credentials. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An address that resolves to several hosts fails with one error for each.
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const code = codeOf(error) ?? codeOf(cause);
  const message = cause instanceof Error && cause.message !== '' ? cause.message : error.message;
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/** The connection broke between question and answer, as one kept alive for too long does. */
export function isLostConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
