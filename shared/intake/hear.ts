import type { Advance } from '../machine/messages.ts';
import type { Environment } from '../runtime/environment.ts';
import { heardAs } from '../store/news.ts';

/**
 * Whether an event that asks for this step is for us to see to. It is not while another instance takes a step of the Machine,
 * which hears of it then, and not where such a step has written it.
 */
export async function isForUs(
  { store }: Environment,
  { machine, resourceVersion }: Advance,
): Promise<boolean> {
  return (await store.hear(machine.uid, heardAs(resourceVersion))) === 'free';
}
