/** phaseout, running in one of the ways that there are to run it. */
export interface Running {
  /** Killed as if the machine had lost its power, and started again. */
  kill(): Promise<void>;
  /** What it has logged. */
  log(): string[];
  /** Requests to API servers so far, where it says so. */
  requests(): Promise<number | undefined>;
  close(): Promise<void>;
}

export const ways = ['run', 'manifests'] as const;
export type Way = (typeof ways)[number];

export const wayText: Readonly<Record<Way, string>> = {
  run: 'phaseout run --kubeconfig',
  manifests: 'the rendered manifests: functions as processes, events by the rendered sources and Triggers',
};
