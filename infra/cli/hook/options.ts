import type { ToldOptions } from '../../terminal/option.ts';
import { outputOption } from '../source.ts';

/** What a function may be written in. */
const languages = ['typescript', 'python'] as const;
export type Language = (typeof languages)[number];

const ofNew = 'phaseout hook new:';
const ofTest = 'phaseout hook test:';

/** Options of `phaseout hook new`. */
export const optionsOfNew = {
  language: {
    type: 'string',
    value: 'LANGUAGE',
    choices: languages,
    group: ofNew,
    meaning: 'typescript (default), for Node 22.18 or newer, or python, for 3.9 or newer',
  },
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    names: 'namespaces',
    group: ofNew,
    meaning: 'of the Machines, the DeletionHook and the function (default: default)',
  },
} as const satisfies ToldOptions;

/** Options of `phaseout hook test`. */
export const optionsOfTest = {
  call: {
    type: 'string',
    value: 'FILE',
    isFile: true,
    group: ofTest,
    meaning: 'the data of the calls, as YAML or JSON, in place of a Machine that does not exist',
  },
  proof: {
    type: 'string',
    value: 'COMMAND',
    group: ofTest,
    meaning:
      'a shell command that ends with 0 only once the work is done; it finds MACHINE (namespace/name), MACHINE_UID and NODE in its environment',
  },
  broker: {
    type: 'string',
    value: 'PORT',
    group: ofTest,
    meaning:
      'listen as the Broker, for a function that sends answers later: it posts them to http://127.0.0.1:PORT/phaseout/phaseout',
  },
  deadline: {
    type: 'string',
    value: 'SECONDS',
    group: ofTest,
    meaning: 'how long the work, and an answer sent later, may take (default: 120)',
  },
  output: { ...outputOption.output, group: ofTest, meaning: 'one JSON object per line instead of text' },
} as const satisfies ToldOptions;
