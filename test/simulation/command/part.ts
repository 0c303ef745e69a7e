import * as z from 'zod';

/** What one worker is to play. */
export const partSchema = z.object({
  /** From the first up to, and without, the end. */
  seeds: z.object({ first: z.int(), end: z.int(), step: z.int() }),
  only: z.array(z.string()).optional(),
  without: z.array(z.string()),
  beside: z.enum(['some', 'all', 'none', 'observe']),
  deployments: z.boolean(),
});

export type Part = z.infer<typeof partSchema>;

const counts = z.record(z.string(), z.number());

/** What was played since the last report. */
export const reportSchema = z.object({
  seeds: z.number(),
  /** Events of the scheduler. */
  steps: z.number(),
  /** By the simulations' clocks. */
  seconds: z.number(),
  violations: z.array(z.object({ seed: z.number(), what: z.string() })),
  coverage: z.object({ hits: z.record(z.string(), counts), effects: counts }),
});

export type Report = z.infer<typeof reportSchema>;
