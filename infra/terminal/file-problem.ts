import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { CannotDo } from './usage-error.ts';

/** Why a file or folder cannot be used. The system's own text repeats the call that failed and the path. */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'errno' in error && typeof error.errno === 'number'
    ? getSystemErrorMessage(error.errno)
    : error.message;
}

/** What is in a folder; nothing where there is no folder. Throws CannotDo where it cannot be looked into. */
export async function entriesIn(folder: string, { recursive = false } = {}): Promise<Dirent[]> {
  try {
    return await readdir(folder, { recursive, withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw new CannotDo(`${folder}: ${fileProblem(error)}`);
  }
}

/** Whether there is no such file or folder. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
