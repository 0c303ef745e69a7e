import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';
import { NotOpen, type OpenArchive, type Way } from './way.ts';

/** A way that led to no answer, and why. */
interface Lack {
  way: string;
  why: string;
}

type Asked<T> = (OpenArchive & { answer: T }) | { lacking: readonly Lack[] };

/** Asks by the first way that leads to a store which answers; that one stays open until `closing`. Throws UsageError. */
export async function askWays<T>(
  ways: readonly Way[],
  ask: (open: OpenArchive) => Promise<T>,
  closing: AsyncDisposableStack,
): Promise<Asked<T>> {
  const lacking: Lack[] = [];
  for (const way of ways) {
    const trying = new AsyncDisposableStack();
    try {
      const open = await way.open(trying);
      const answer = await ask(open);
      closing.defer(() => trying.disposeAsync());
      return { ...open, answer };
    } catch (error) {
      await trying.disposeAsync();
      lacking.push({ way: way.name, why: whyNot(error) });
    }
  }
  return { lacking };
}

/** Throws what is no failure of a store. */
export function whyNot(error: unknown): string {
  const isExpected = [NotOpen, Unavailable, StoreUnavailable].some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  return error.message;
}
