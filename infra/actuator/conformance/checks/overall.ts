import type { Outcome } from '../check.ts';
import { type Exchange, shown } from '../client.ts';

/** What holds for every answer of a run. */
export const overall: readonly { name: string; judge: (exchanges: readonly Exchange[]) => Outcome }[] = [
  {
    name: 'every request was answered in time',
    judge: (exchanges) =>
      unlessAny(
        exchanges.filter(({ answer }) => answer === undefined),
        'an answer to each request',
      ),
  },
  {
    name: 'every answer of the contract says that it is application/json',
    judge: (exchanges) =>
      unlessAny(
        exchanges.filter(
          ({ answer }) => answer && isOfTheContract(answer.status) && !isJson(answer.contentType),
        ),
        'content-type: application/json',
      ),
  },
];

function unlessAny(wrong: readonly Exchange[], expected: string): Outcome {
  const [first] = wrong;
  if (first === undefined) return { kind: 'passed' };
  const type = first.answer && ` (content-type: ${first.answer.contentType ?? 'none'})`;
  const more = wrong.length > 1 ? ` and ${wrong.length - 1} more` : '';
  return { kind: 'failed', expected, answered: `${shown(first)}${type ?? ''}${more}` };
}

/** Those of a proxy in between are none of the provider's. */
const isOfTheContract = (status: number): boolean => [200, 202, 400, 422, 429, 503].includes(status);

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
