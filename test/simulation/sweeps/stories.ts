import { capiStories } from './stories/capi.ts';
import { providedStories } from './stories/provided.ts';
import { drawn, type Story } from './story.ts';

/** Stories made for sweeps, without chance. */
export const stories: readonly Story[] = [...capiStories, ...providedStories];

/** Those, and the scenarios of so many seeds. */
export const storiesWith = (seeds: number): readonly Story[] => [
  ...stories,
  ...Array.from({ length: seeds }, (_, index) => drawn(index + 1)),
];
