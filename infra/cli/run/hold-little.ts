import type { Clock } from '../../../shared/time/clock.ts';
import type { SeenMachines } from '../../local/platform/seen-machines.ts';
import type { OwnHeap } from '../../terminal/own-heap.ts';

/** When no Machine has ended for so long, a fleet is through. */
const calmMilliseconds = 5_000;

/**
 * Who runs beside others for days takes little memory while many Machines are deleted, and gives it back after them. Returns
 * the way to stop.
 */
export function holdLittle(heap: OwnHeap, machines: Pick<SeenMachines, 'listen'>, clock: Clock): () => void {
  let stop: (() => void) | undefined;
  heap.keepSmall();
  machines.listen({
    gone() {
      stop?.();
      stop = clock.after(calmMilliseconds, () => heap.giveBack());
    },
  });
  return () => stop?.();
}
