import * as z from 'zod';
import { sweepNames } from './sweep.ts';

/** The points that one worker plays: of each story and sweep the `first` one, and every `step`th after it. */
export const partSchema = z.object({
  sweeps: z.array(z.enum(sweepNames)),
  stories: z.array(z.string()),
  seeds: z.int(),
  first: z.int(),
  step: z.int(),
});

export type Part = z.infer<typeof partSchema>;

/** What came of one story and sweep. */
export const reportSchema = z.object({
  story: z.string(),
  sweep: z.enum(sweepNames),
  runs: z.int(),
  /** `at`: counted from 1; 0 is the story as it is. */
  found: z.array(
    z.object({
      at: z.int(),
      what: z.string(),
      violated: z.string(),
      /** Why it cannot be otherwise, where that is known. */
      because: z.string().optional(),
    }),
  ),
});

export type Report = z.infer<typeof reportSchema>;
export type Found = Report['found'][number];
