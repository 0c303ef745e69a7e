import { getSystemErrorMessage } from 'node:util';

/**
 * Why a kubeconfig could not be read, in a line: the system names the call that failed and the file once more, and a
 * parser shows the lines around the mistake.
 */
export function kubeconfigProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('errno' in error && typeof error.errno === 'number') return getSystemErrorMessage(error.errno);
  return error.message.split('\n')[0]?.replace(/:$/, '') ?? '';
}
