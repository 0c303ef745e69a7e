import type { StoreCommand } from '../../store/command.ts';
import type { StoreFault as StoreFate } from '../../store/faults.ts';
import type { Fault } from '../fault.ts';
import { type MeddlingFault, meddlingFault } from '../meddling.ts';

type Command = StoreCommand & { instance: string };

interface StoreFault extends Pick<MeddlingFault<Command, StoreFate>, 'name' | 'about' | 'courses' | 'fate'> {
  fits?: (command: Command) => boolean;
  /** What becomes of calls: `are throttled`. */
  becomes: string;
}

/** Something that happens to calls of the table. */
export const storeFault = ({ becomes, fits = () => true, ...fault }: StoreFault): Fault =>
  meddlingFault<Command, StoreFate>((world) => (meddler) => world.meddlers.onStore(meddler), {
    ...fault,
    fits,
    who: 'the store',
    says: ({ name }) => `calls ${becomes}, such as ${name}`,
    instance: ({ instance }) => instance,
    kind: ({ name }) => name,
  });
