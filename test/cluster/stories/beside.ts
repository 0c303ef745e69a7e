import { handedOver, hookBefore, pausedDrain } from './beside/hand-over.ts';
import { hookTakenOff, released, withoutHook } from './beside/left-to-peer.ts';
import { registered, rights } from './beside/policies.ts';
import type { Story } from './story.ts';

/** Those of mode beside. */
export const besideStories: readonly Story[] = [
  handedOver,
  hookBefore,
  pausedDrain,
  withoutHook,
  hookTakenOff,
  released,
  rights,
  registered,
];
