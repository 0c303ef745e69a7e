import { type Bench, type Check, Unmet } from '../check.ts';
import { shown } from '../client.ts';

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
