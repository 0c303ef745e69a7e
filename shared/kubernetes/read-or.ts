import { Unavailable } from './errors.ts';

/** What a read says, or `otherwise` where it failed: for what holds whatever the read would have said. */
export async function readOr<T>(otherwise: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Unavailable) return otherwise;
    throw error;
  }
}
