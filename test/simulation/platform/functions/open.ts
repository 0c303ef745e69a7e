import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';
import type { Meddlers } from '../../meddlers.ts';
import { HookFunctions } from './functions.ts';
import type { PlayedHook } from './played.ts';

/** What is around functions. */
interface Surroundings {
  now(): number;
  say(who: string, what: string): void;
  meddlers: Pick<Meddlers, 'hookAnswer'>;
  scheduler: { after(milliseconds: number, run: () => void): unknown };
  eventing: { slipIn(event: CloudEvent): Promise<void> };
}

/** The functions of a world's DeletionHooks. What a function sends by itself goes to the Broker that is there then. */
export const openFunctions = (world: Surroundings, hooks: readonly PlayedHook[] = []): HookFunctions =>
  new HookFunctions({
    hooks,
    now: () => world.now(),
    say: (who, what) => world.say(who, what),
    fate: (answer) => world.meddlers.hookAnswer(answer) ?? 'is the reply',
    slipIn: (event, milliseconds) =>
      void world.scheduler.after(milliseconds, () => void world.eventing.slipIn(event)),
  });
