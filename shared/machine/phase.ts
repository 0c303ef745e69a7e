/**
 * The phases of a deletion, in order. Machines' checkpoints store the names, and events carry them. They are never renamed,
 * and a new one never takes an old one's name.
 */
export const phases = [
  'pre-drain',
  'drain',
  'volume-detach',
  'hand-over',
  'pre-terminate',
  'infrastructure',
  'bootstrap',
  'node',
  'finalize',
] as const;

/** Name of a phase, as checkpoints, events and functions have it. */
export type Phase = (typeof phases)[number];

/** Whether a word is the name of a phase. */
export const isPhase = (word: string): word is Phase => phases.some((phase) => phase === word);

/** Whether one phase comes before another in a deletion. */
export const isBefore = (phase: Phase, other: Phase): boolean =>
  phases.indexOf(phase) < phases.indexOf(other);
