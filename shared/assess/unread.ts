import { unreadIn } from '../kubernetes/errors.ts';

/** What a look finds, or what is made of the sentence that says what was not read. Throws all other errors. */
export async function orUnread<T>(
  look: () => Promise<T>,
  otherwise: (unread: string) => T | Promise<T>,
): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const unread = unreadIn(error);
    if (unread === undefined) throw error;
    return otherwise(unread.message);
  }
}
