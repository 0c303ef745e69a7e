import type { Observer } from '../../observer.ts';

/** Whether anything was ever wrong with the store. An instance that stands still over its answer says so. */
export function watchStoreTrouble(): Required<Pick<Observer, 'hit' | 'logged'>> & { hasBeen: () => boolean } {
  let isTroubled = false;
  return {
    hit(fault) {
      isTroubled ||= fault.startsWith('store-');
    },
    logged(_instance, _level, message) {
      isTroubled ||= message.startsWith('The store does not answer');
    },
    hasBeen: () => isTroubled,
  };
}
