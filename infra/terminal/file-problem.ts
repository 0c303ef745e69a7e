import { getSystemErrorMessage } from 'node:util';

/** Why a file or folder cannot be used. The system's own text repeats the call that failed and the path. */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'errno' in error && typeof error.errno === 'number'
    ? getSystemErrorMessage(error.errno)
    : error.message;
}
