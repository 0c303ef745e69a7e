import { TooManyRequests } from '../../../shared/http/failures.ts';
import { phases } from '../../../shared/machine/phase.ts';
import { noTracing, type Tracing } from '../../../shared/runtime/tracing.ts';
import { type Clock, pause } from '../../../shared/time/clock.ts';
import { constants } from './constants.ts';

/** How long each step took, in milliseconds: those that a command asks for, and those that a wake-up begins. */
export class Steps {
  readonly milliseconds: number[] = [];

  tracingOf(clock: Clock): Tracing {
    return {
      ...noTracing,
      span: async (name, options, run) => {
        if (name === 'wake-up') await pause(clock, constants.instance.wake);
        const begunAt = clock.now();
        const taken = noTracing.span(name, options, run);
        const asked = options.attributes?.['phaseout.function'];
        if (name !== 'wake-up' && !phases.some((phase) => phase === asked)) return taken;
        const count = (): void => void this.milliseconds.push(clock.now() - begunAt);
        // What is turned away takes no step.
        taken.then(count, (error) => (error instanceof TooManyRequests ? undefined : count()));
        return taken;
      },
    };
  }
}
