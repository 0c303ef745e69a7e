import { getSystemErrorMessage } from 'node:util';

/** Why a file or folder cannot be used: the system's own text names the call that failed and the path once more. */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'errno' in error && typeof error.errno === 'number'
    ? getSystemErrorMessage(error.errno)
    : error.message;
}
