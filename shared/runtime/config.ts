import * as z from 'zod';
import { actionsByWord } from '../blocked/entry.ts';
import { isMachineApiName, machineApiNames } from '../dialects/registry.ts';
import { configVariables } from './config-variables.ts';
import { logLevels } from './log.ts';
import { mode, selector } from './mode.ts';

const text = z.string();

const whole = (least: number, most: number) =>
  text
    .refine((word) => /^\d+$/.test(word) && Number(word) >= least && Number(word) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number);

const positive = text
  .refine((word) => /^\d+(\.\d+)?$/.test(word) && Number(word) > 0, {
    error: 'must be a number greater than 0',
  })
  .transform(Number);

const yesOrNo = text
  .refine((word) => word === 'true' || word === 'false', { error: 'must be true or false' })
  .transform((word) => word === 'true');

const optional = text.transform((word) => (word === '' ? undefined : word));

const url = optional
  .refine((word) => word === undefined || isHttpUrl(word), {
    error: 'must be an http or https URL',
    abort: true,
  })
  // Messages would have them, and so logs and answers.
  .refine((word) => word === undefined || !namesUser(word), { error: 'must not name a user or a password' });

const namespacedName = (kind: string) =>
  optional.refine((word) => word === undefined || /^[^/\s]+\/[^/\s]+$/.test(word), {
    error: `must be namespace/name of a ${kind}`,
  });

/** An empty value names all. Commas and blanks alone are a mistake: they do not mean all. */
const names = text
  .transform((words) => ({
    isEmpty: words === '',
    named: words
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  }))
  .refine(({ isEmpty, named }) => isEmpty || named.length > 0, {
    error: 'must be names with commas between them, or empty',
  })
  .transform(({ named }) => named);

const nonEmpty = text.min(1, { error: 'must not be empty' });

const oneOf = <T extends string>(words: readonly [T, ...T[]]) =>
  z.string().pipe(z.enum(words, { error: `must be one of ${words.join(', ')}` }));
const someMachineApis = text
  .transform((words) => words.split(',').map((word) => word.trim()))
  .refine((words) => words.every(isMachineApiName), {
    error: `must be some of ${machineApiNames.join(', ')}, with commas between them`,
  })
  .transform((words) => words.filter(isMachineApiName));

const someActions = names
  .refine((words) => words.every((word) => word in actionsByWord), {
    error: `must be some of ${Object.keys(actionsByWord).join(', ')}, with commas between them`,
  })
  .transform((words) => new Set(words.flatMap((word) => actionsByWord[word] ?? [])));

function namesUser(word: string): boolean {
  const { username, password } = new URL(word);
  return username !== '' || password !== '';
}

const isHttpUrl = (word: string): boolean =>
  URL.canParse(word) && ['http:', 'https:'].includes(new URL(word).protocol);

const maxSeconds = 86_400;

/** The configuration, each value read from the text of its variable. */
const fields = {
  port: whole(0, 65_535),
  listenAddress: optional,
  functions: names,
  sink: url,
  sinkAuthorities: optional,
  table: nonEmpty,
  dynamodbEndpoint: url,
  machineApis: someMachineApis,
  mode,
  observeEvents: yesOrNo,
  installation: text.refine((word) => /^([a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?)?$/.test(word), {
    error: 'must be a name of lower-case letters, digits and hyphens, at most 32 of them',
  }),
  lease: namespacedName('Lease'),
  hooksAfter: names,
  besideSelector: selector,
  besideControlPlanes: yesOrNo,
  besideMachinePools: yesOrNo,
  besideExcluded: oneOf(['leave', 'drain']),
  namespaces: names,
  duePingSource: namespacedName('PingSource'),
  watchFilter: text,
  ownNode: text,
  actuatorUrl: url,
  actuatorSecret: namespacedName('Secret'),
  actuatorTimeoutSeconds: whole(1, 600),
  hookKey: namespacedName('Secret'),
  evictionsPerSecond: positive,
  evictionBurst: whole(1, 100_000),
  evictionsInFlight: whole(1, 10_000),
  wakeUps: yesOrNo,
  wakeUpsMax: whole(0, 100_000),
  wakeUpSeconds: whole(1, maxSeconds),
  requeueAfterSeconds: whole(1, maxSeconds),
  requestTimeoutSeconds: whole(1, 600),
  requestsInFlight: whole(1, 100_000),
  bodyLimitBytes: whole(1_024, 1_073_741_824),
  shutdownSeconds: whole(1, 3_600),
  considerVolumeAttachments: yesOrNo,
  nodeConditions: yesOrNo,
  actions: someActions,
  kubeconfig: optional,
  logForm: oneOf(['json', 'text']),
  logLevel: oneOf(logLevels),
};

/** One field for each variable, no more and no less. */
const configSchema = z.object(fields satisfies Record<keyof typeof configVariables, z.ZodType>);

/** The configuration of an instance, as its environment sets it. */
export type Config = z.infer<typeof configSchema>;

/** The environment's variables are no valid configuration. The message has a line for each variable that is wrong. */
export class ConfigInvalid extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigInvalid';
    this.problems = problems;
  }
}

/** Reads the environment's variables; one that is empty counts as not set. Throws ConfigInvalid, naming them all. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const words = Object.fromEntries(
    Object.entries(configVariables).map(([field, { name, default: word }]) => [field, env[name] || word]),
  );
  const parsed = configSchema.safeParse(words);
  if (parsed.success) return parsed.data;
  throw new ConfigInvalid(
    parsed.error.issues.map((issue) => problem(String(issue.path[0]), issue.message, words)),
  );
}

function problem(field: string, why: string, words: Readonly<Record<string, string>>): string {
  const name = Object.entries(configVariables).find(([key]) => key === field)?.[1].name ?? field;
  return `${name} ${why}, not ${JSON.stringify(withoutUser(words[field] ?? ''))}`;
}

/** The part before the @ of a URL, well written or not, never goes into a log. */
const withoutUser = (word: string): string => word.replace(/\/\/.*@/s, '//…@');
