import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { conforms } from '../../conformance/outcome.ts';
import { jsonReporter, textReporter } from '../../conformance/report.ts';
import { createPool } from '../../local/eventing/post.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { isJson, parseArguments, portOf, refuseStray } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { openBroker } from './conformance/broker.ts';
import { createClient } from './conformance/client.ts';
import { readGiven } from './conformance/given.ts';
import { proofBy } from './conformance/proof.ts';
import { runConformance } from './conformance/run.ts';
import { createTurns } from './conformance/turn.ts';
import { optionsOfTest } from './options.ts';

const defaultDeadlineSeconds = 120;

/** `phaseout hook test`. Resolves with the exit code; throws what main knows how to say. */
export async function hookTest(args: readonly string[], outside: Outside): Promise<number> {
  const { values, rest } = parseArguments(args, optionsOfTest);
  const url = urlIn(rest);
  const deadlineSeconds = deadlineIn(values.deadline);
  const port = portOf(values.broker, '--broker');
  const own = values.call === undefined ? undefined : await readGiven(resolve(outside.folder, values.call));
  const { clock, interrupted, stdout } = outside;
  const write = (line: string): void => void stdout.write(`${line}\n`);
  const paint = paintFor(stdout, outside);
  const reporter = isJson(values.output) ? jsonReporter(write) : textReporter('The function', write, paint);
  const broker = port === undefined ? undefined : await openBroker(port, clock);
  const { post, close } = createPool();
  // The clock's timers keep no process alive, and between two calls nothing else does.
  const awake = setInterval(() => undefined, 60_000);
  try {
    const results = await runConformance({
      bench: {
        client: createClient({ url, post, clock, broker, deadlineSeconds, signal: interrupted }),
        turns: createTurns(own, clock, randomUUID),
        proof: values.proof === undefined ? undefined : proofBy(values.proof, outside),
        clock,
        deadlineSeconds,
        interrupted,
      },
      hasBroker: broker !== undefined,
      onResult: (result) => reporter.result(result),
    });
    reporter.end(results, !interrupted.aborted);
    if (interrupted.aborted) return 130;
    return conforms(results) ? 0 : 1;
  } finally {
    clearInterval(awake);
    await broker?.close();
    await close();
  }
}

function urlIn([text, ...more]: readonly string[]): string {
  if (text === undefined) throw new UsageError('hook test needs the URL of a function that runs');
  refuseStray(more);
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  throw new UsageError(`hook test takes an http or https URL, not ${JSON.stringify(text)}`);
}

function deadlineIn(text = String(defaultDeadlineSeconds)): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--deadline takes whole seconds, at least 1, not ${JSON.stringify(text)}`);
}
