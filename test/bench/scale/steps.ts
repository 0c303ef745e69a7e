import { phases } from '../../../shared/machine/phase.ts';
import { noTracing, type Tracing } from '../../../shared/runtime/tracing.ts';
import type { Clock } from '../../../shared/time/clock.ts';

/** How long each step took, in milliseconds: those that a command asks for, and those that a wake-up begins. */
export class Steps {
  readonly milliseconds: number[] = [];

  tracingOf(clock: Pick<Clock, 'now'>): Tracing {
    return {
      ...noTracing,
      span: async (name, options, run) => {
        const begunAt = clock.now();
        try {
          return await noTracing.span(name, options, run);
        } finally {
          const asked = options.attributes?.['phaseout.function'];
          if (name === 'wake-up' || phases.some((phase) => phase === asked))
            this.milliseconds.push(clock.now() - begunAt);
        }
      },
    };
  }
}
