import { CannotDo } from '../../terminal/usage-error.ts';

/** A Machine that is not found may not have been given: the notes say what was. Throws what `found` throws. */
export async function withNotes<T>(found: Promise<T>, notes: readonly string[]): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof CannotDo) || notes.length === 0) throw error;
    const lines = [error.message, ...notes.map((note) => `  ${note}`)];
    throw new CannotDo(lines.join('\n'), { cause: error });
  }
}
