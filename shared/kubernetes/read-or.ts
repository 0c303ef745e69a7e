import { Unavailable } from './errors.ts';

/** What a look says, or this where nobody could look: for what holds whatever the look would have said. */
export async function readOr<T>(otherwise: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Unavailable) return otherwise;
    throw error;
  }
}
