import { readFileSync } from 'node:fs';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';
import { problemLines, readServerless } from '../../../infra/serverless/read.ts';

export const serverlessText = readFileSync(new URL('../../../serverless.yml', import.meta.url), 'utf8');

/** What serverless.yml says, and so what is rendered for a cluster. */
export const serverless = ((): ServerlessFile => {
  const reading = readServerless(serverlessText);
  if (reading.kind === 'read') return reading.file;
  throw new Error(problemLines('serverless.yml', reading.problems).join('\n'));
})();
