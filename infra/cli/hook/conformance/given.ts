import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import { hookCallSchema } from '../../../../events/hook-call.ts';
import { fileProblem } from '../../../terminal/file-problem.ts';
import { UsageError } from '../../../terminal/usage-error.ts';

const { machine, node, cluster, place } = hookCallSchema.shape.data.shape;

/** What of a call the author may write: as phaseout writes it, and no more than there is to know. */
const given = z.object({
  hook: z
    .string()
    .regex(/^[^/]+\/[^/]+$/)
    .default('default/hook-test')
    .transform((text) => ({ namespace: text.split('/')[0] ?? '', name: text.split('/')[1] ?? '' })),
  place: place.default('PreTerminate'),
  machine: machine.extend({ labels: machine.shape.labels.default({}) }),
  node,
  cluster,
});

/** What an author wrote of a call. */
export type Given = z.infer<typeof given>;

/** The data of a call in a file. Throws UsageError. */
export async function readGiven(file: string): Promise<Given> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file}: ${fileProblem(error)}`);
  });
  const read = given.safeParse(parsed(file, text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(`${file}: ${issue?.path.join('.') || 'the document'}: ${issue?.message ?? 'invalid'}`);
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
}
