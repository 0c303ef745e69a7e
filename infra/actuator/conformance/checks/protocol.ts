import { errorAnswerSchema, operations, pathOf } from '../../../../shared/actuator/contract.ts';
import { type Outcome, Unmet } from '../../../conformance/outcome.ts';
import { type Bench, type Check } from '../check.ts';
import { type Exchange, shown } from '../client.ts';
import { send } from '../verbs.ts';

const noToken: Outcome = { kind: 'skipped', why: 'no token was given' };

/** Paths, bodies and tokens, whatever is asked. */
export const protocol: readonly Check[] = [
  {
    name: 'a request without a token is answered 401',
    run: (bench) => mustBeUnauthorized(bench, undefined),
  },
  {
    name: 'a request with a wrong token is answered 401',
    run: (bench) => mustBeUnauthorized(bench, `${bench.client.token ?? ''}-not`),
  },
  {
    name: 'an unknown path is answered 404',
    async run(bench) {
      const { client, machines } = bench;
      const body = JSON.stringify(machines.question(machines.make()));
      const exchange = await send(bench, '/v1/conformance', { body, token: client.token });
      if (exchange.answer?.status !== 404) throw new Unmet('404', shown(exchange));
    },
  },
  ...malformedBodies().map(([what, body]) => ({
    name: `${what} is answered 4xx with an error`,
    async run(bench: Bench): Promise<void> {
      const { token } = bench.client;
      for (const operation of operations)
        mustBeRefused(await send(bench, pathOf(operation), { body, token }));
    },
  })),
];

function malformedBodies(): [what: string, body: string][] {
  const machine = { apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine' };
  const metadata = { name: 'malformed', namespace: 'conformance' };
  return [
    ['an empty body', ''],
    ['half a body', '{"machine": {"apiVersion":'],
    ['a body that is a list', '[]'],
    ['a body without a Machine', '{}'],
    ['a Machine without a UID', JSON.stringify({ machine: { ...machine, metadata } })],
  ];
}

async function mustBeUnauthorized(bench: Bench, token: string | undefined): Promise<Outcome | void> {
  const { client, machines } = bench;
  if (client.token === undefined) return noToken;
  for (const operation of operations) {
    const machine = machines.make();
    if (operation === 'create') machines.remember(machine);
    const body = JSON.stringify(machines.question(machine));
    const exchange = await send(bench, pathOf(operation), { body, token });
    if (exchange.answer?.status !== 401) throw new Unmet('401', shown(exchange));
    if (operation === 'create') machines.forget(machine);
  }
}

/** Not 401, 403 or 404 either: they would mean something else. */
function mustBeRefused(exchange: Exchange): void {
  const { answer } = exchange;
  const expected = '400 {"error": {"message": "…"}}';
  const status = answer?.status ?? 0;
  if (status < 400 || status > 499 || [401, 403, 404].includes(status)) {
    throw new Unmet(expected, shown(exchange));
  }
  if (!errorAnswerSchema.safeParse(parsed(answer?.text ?? '')).success) {
    throw new Unmet(expected, shown(exchange));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without this nothing else is worth asking. */
export const reachable: Check = {
  name: 'the provider answers, and takes the token',
  async run(bench) {
    const { client, machines } = bench;
    const exchange = await client.ask('exists', machines.question(machines.make()));
    const status = exchange.answer?.status;
    if (status === undefined) throw new Unmet('an answer', shown(exchange));
    if (status >= 300 && status < 400) throw new Unmet('no redirect: they are not followed', shown(exchange));
    if (status === 404 && (await isNothingThere(bench))) {
      throw new Unmet(
        'the contract at --url, to which /v1/exists and the others are appended',
        shown(exchange),
      );
    }
    if (status !== 401 && status !== 403) return;
    const given =
      client.token === undefined ? 'no token was given: see --token-file' : 'with the token given';
    throw new Unmet('another status than 401 and 403', `${shown(exchange)} (${given})`);
  },
};

/** A provider may say 404 of a server, which is another mistake; of a request without a Machine it cannot. */
async function isNothingThere({ client }: Bench): Promise<boolean> {
  const { answer } = await client.send('/v1/exists', '{}', client.token);
  return answer?.status === 404;
}

/** What holds for every answer of a run. */
export const overall: readonly { name: string; judge: (exchanges: readonly Exchange[]) => Outcome }[] = [
  {
    name: 'every request was answered in time',
    judge: unlessAny(({ answer }) => answer === undefined, 'an answer to each request'),
  },
  {
    name: 'every answer of the contract says that it is application/json',
    judge: unlessAny(
      ({ answer }) => answer !== undefined && isOfTheContract(answer.status) && !isJson(answer.contentType),
      'content-type: application/json',
    ),
  },
];

function unlessAny(isWrong: (exchange: Exchange) => boolean, expected: string) {
  return (exchanges: readonly Exchange[]): Outcome => {
    const wrong = exchanges.filter(isWrong);
    const [first] = wrong;
    if (first === undefined) return { kind: 'passed' };
    const type = first.answer && ` (content-type: ${first.answer.contentType ?? 'none'})`;
    const more = wrong.length > 1 ? ` and ${wrong.length - 1} more` : '';
    return { kind: 'failed', expected, answered: `${shown(first)}${type ?? ''}${more}` };
  };
}

/** Those of a proxy in between are none of the provider's. */
const isOfTheContract = (status: number): boolean => [200, 202, 400, 422, 429, 503].includes(status);

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
