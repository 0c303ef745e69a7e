import { type Bench, type Check, Unmet } from '../check.ts';
import { shown } from '../client.ts';
import { exists, removeToTheEnd, removeUntilGone, report } from '../verbs.ts';
import { providerIdOf } from './creation.ts';
import { mustBeAbsent } from './unknown.ts';

/** A recreated Machine has the name of the old one. The server of the old one may still exist. */
export const identity: readonly Check[] = [
  {
    name: 'a Machine of the same name with another UID has no server',
    needsServer: true,
    run: (bench) => mustBeAbsent(bench, namesake(bench)),
  },
  {
    name: 'deleting such a namesake leaves the server alone',
    needsServer: true,
    async run(bench) {
      await removeToTheEnd(bench, namesake(bench));
      await mustStillExist(bench);
    },
  },
  {
    name: 'a namesake gets a server of its own, and takes only that one with it',
    needsServer: true,
    async run(bench) {
      const machine = namesake(bench);
      const { providerID } = await report(bench, 'create', machine);
      const other = bench.server && providerIdOf(bench.server);
      if (providerID !== undefined && providerID === other) {
        throw new Unmet('another providerID for another UID', providerID);
      }
      await removeUntilGone(bench, machine);
      await mustStillExist(bench);
    },
  },
];

const namesake = ({ machines, server }: Bench) => machines.make(server?.metadata.name);

async function mustStillExist(bench: Bench): Promise<void> {
  if (bench.server === undefined) return;
  const { is, exchange } = await exists(bench, bench.server);
  if (!is) throw new Unmet('the server of the first Machine to exist still', shown(exchange));
}
