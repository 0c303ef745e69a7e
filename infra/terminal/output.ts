import { stringify } from 'yaml';
import type { ToldOptions } from './option.ts';

/** Of a command that gives one answer. */
export const answerOutput = {
  output: { type: 'string', short: 'o', value: 'json|yaml', choices: ['json', 'yaml'], meaning: 'as data' },
} as const satisfies ToldOptions;

/** Of a command that gives a list. */
export const listOutput = {
  output: {
    type: 'string',
    short: 'o',
    value: 'wide|json|yaml',
    choices: ['wide', 'json', 'yaml'],
    meaning: 'more of each, or as data',
  },
} as const satisfies ToldOptions;

/** How an answer is written: for people, or as data for programs. */
export type Form = 'text' | 'wide' | 'json' | 'yaml';

/** The same answer as one line of JSON or as a document of YAML; undefined where it is for people. */
export function asData(form: Form, answer: () => object): string | undefined {
  if (form === 'json') return `${JSON.stringify(answer())}\n`;
  // A reader that knows no anchors reads all of it, or YAML 1.1, in which y is a boolean. No line is folded.
  if (form === 'yaml')
    return stringify(answer(), { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 });
  return undefined;
}
