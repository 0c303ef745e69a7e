import { join } from 'node:path';
import { filesThatRan } from './ran.ts';
import { aDrainBeforeItsRefusal } from './refused-eviction.ts';

/** The API server, its controllers and the store are played. */
const played = /^(?:infra\/local|test|node_modules)\//;
/** They may run beside the step: the start of the next one, and the instance's question whether all answer. */
const beside = ['infra/host/wake.ts', 'infra/host/readiness.ts'];

/** Prints the project's files that one refused eviction runs through, and what the condition says before and after. */
await using closing = new AsyncDisposableStack();
const drain = await aDrainBeforeItsRefusal(closing);
const before = drain.message();
const ran = await filesThatRan(join(import.meta.dirname, '../..'), () => drain.step());
const files = ran.filter((path) => !played.test(path) && !beside.includes(path));
process.stdout.write(`${JSON.stringify({ before, after: drain.message(), files })}\n`);
