import type { Invariant } from './invariant.ts';

/** A whole deletion goes through fewer phases. That holds too if it returns to some, or starts at the wrong one. */
const maxReplies = 20;

/** Replies follow each other without a wait: an endless chain would go on as fast as the Broker takes it. */
export const chainsEnd: Invariant = {
  name: 'replies to replies come to an end',
  watch(_world, _scenario, violated) {
    /** By id: how many replies led to the event when it was last one. */
    const before = new Map<string, number>();
    return {
      event: ({ attributes }) => void before.delete(attributes['id'] ?? ''),
      replied(reply, event) {
        const replies = (before.get(event.attributes['id'] ?? '') ?? 0) + 1;
        before.set(reply.attributes['id'] ?? '', replies);
        if (replies === maxReplies)
          violated(`${replies} replies in a row, the last of them ${reply.attributes['id']}`);
      },
    };
  },
};
