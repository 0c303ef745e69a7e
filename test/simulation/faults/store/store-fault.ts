import type { StoreCall } from '../../meddlers.ts';
import type { StoreFault as StoreFate } from '../../store/faults.ts';
import type { Fault } from '../fault.ts';
import { type MeddlingFault, meddlingFault } from '../meddling.ts';

interface StoreFault
  extends Pick<MeddlingFault<StoreCall, StoreFate>, 'name' | 'about' | 'courses' | 'fate'> {
  fits?: (call: StoreCall) => boolean;
  /** What becomes of calls: `are throttled`. */
  becomes: string;
}

/** Something that happens to calls of the table. */
export const storeFault = ({ becomes, fits = () => true, ...fault }: StoreFault): Fault =>
  meddlingFault<StoreCall, StoreFate>((world) => (meddler) => world.meddlers.onStore(meddler), {
    ...fault,
    fits,
    who: 'the store',
    says: ({ name }) => `calls ${becomes}, such as ${name}`,
    instance: ({ instance }) => instance,
    kind: ({ name }) => name,
  });
