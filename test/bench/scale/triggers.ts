import { deadLetterPath } from '../../../infra/serverless/dead-letter-path.ts';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';

/** What a Trigger gives up goes to the function that takes dead letters, as the rendered manifests have it. */
export function withDeadLetters(file: ServerlessFile, services: string): ServerlessFile {
  const { deadLetter, delivery } = file.broker;
  if (deadLetter === undefined) return file;
  const triggers = file.triggers.map((trigger) => {
    const deadLetterSink = services + deadLetterPath(deadLetter, trigger);
    return { ...trigger, delivery: { deadLetterSink, ...(trigger.delivery ?? delivery) } };
  });
  return { ...file, triggers };
}
