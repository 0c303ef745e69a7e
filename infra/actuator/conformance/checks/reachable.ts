import { type Check, Unmet } from '../check.ts';
import { shown } from '../client.ts';

/** Without this nothing else is worth asking. */
export const reachable: Check = {
  name: 'the provider answers, and takes the token',
  async run({ client, machines }) {
    const exchange = await client.ask('exists', machines.question(machines.make()));
    const status = exchange.answer?.status;
    if (status === undefined) throw new Unmet('an answer', shown(exchange));
    if (status !== 401 && status !== 403) return;
    const given =
      client.token === undefined ? 'no token was given: see --token-file' : 'with the token given';
    throw new Unmet('another status than 401 and 403', `${shown(exchange)} (${given})`);
  },
};
