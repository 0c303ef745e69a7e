import { readFile } from 'node:fs/promises';
import type { Fetch } from '../../../shared/adapters/actuator/post.ts';
import { conforms } from '../../conformance/outcome.ts';
import { jsonReporter, textReporter } from '../../conformance/report.ts';
import { fileProblem } from '../../terminal/file-problem.ts';
import { ManifestUnreadable } from '../../terminal/manifests.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { createClient } from './client.ts';
import { help, type Options, readOptions } from './options.ts';
import { runConformance } from './run.ts';
import { readTemplates } from './templates.ts';

/** What the command has to do with the world around it. */
export interface Surroundings extends Pick<Outside, 'stdout' | 'stderr' | 'env' | 'clock' | 'interrupted'> {
  fetch: Fetch;
  uuid: () => string;
}

/** Runs the command line; the answer is the exit code: 0 conforms, 1 does not, 2 not understood. */
export async function conformance(args: readonly string[], outside: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    outside.stdout.write(help);
    return 0;
  }
  try {
    return await check(readOptions(args), outside);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof ManifestUnreadable)) throw error;
    outside.stderr.write(`conformance: ${error.message}\n`);
    return 2;
  }
}

async function check(options: Options, outside: Surroundings): Promise<number> {
  const { url, timeoutSeconds, deadlineSeconds } = options;
  const { clock, fetch, uuid, interrupted, stdout } = outside;
  const templates = await readTemplates(options);
  const client = createClient({ url, token: await tokenOf(options), timeoutSeconds, clock, fetch });
  const write = (line: string): void => void stdout.write(`${line}\n`);
  const reporter = options.json
    ? jsonReporter(write)
    : textReporter('The provider', write, paintFor(stdout, outside));
  const results = await runConformance({
    client,
    templates,
    clock,
    deadlineSeconds,
    uuid,
    interrupted,
    onResult: (result) => reporter.result(result),
  });
  reporter.end(results, !interrupted.aborted);
  return conforms(results) && !interrupted.aborted ? 0 : 1;
}

/** Throws UsageError for a token that no header can carry: the error about the header would quote it. */
async function tokenOf({ token, tokenFile }: Options): Promise<string | undefined> {
  const text = tokenFile === undefined ? token : await contentOf(tokenFile);
  if (text === undefined || /^[\x21-\x7e]+$/.test(text.trim())) return text?.trim();
  throw new UsageError(
    `${tokenFile ?? '--token'}: not a token, which has no spaces and only ASCII characters`,
  );
}

function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file}: ${fileProblem(error)}`);
  });
}
