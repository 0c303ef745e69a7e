import type { Bench } from '../bench.ts';
import { type Check, Unmet } from '../check.ts';
import { shown } from '../client.ts';
import { exists, removeToTheEnd, said } from '../verbs.ts';
import { readExistence } from '../../../../shared/actuator/read-answer.ts';

const bytesOfALargeMachine = 1_048_576;

/** What a provider says of Machines that it has never made a server for. */
export const unknownMachines: readonly Check[] = [
  {
    name: 'a Machine that nobody created has no server',
    run: (bench) => mustBeAbsent(bench, bench.machines.make()),
  },
  {
    name: 'deleting what never existed is accepted',
    async run(bench) {
      const machine = bench.machines.make();
      await removeToTheEnd(bench, machine);
      await mustBeAbsent(bench, machine);
    },
  },
  {
    name: 'a cluster of null is no cluster, and fields nobody has heard of are ignored',
    async run({ client, machines }) {
      const { machine, cluster = null } = machines.question(machines.make());
      const body = { machine, cluster, later: { more: true } };
      const exchange = await client.send('/v1/exists', JSON.stringify(body), client.token);
      said(exchange, readExistence, '200 {"exists": false}');
    },
  },
  {
    name: 'a Machine of a megabyte is taken',
    async run(bench) {
      const machine = bench.machines.make();
      const padding = 'x'.repeat(bytesOfALargeMachine);
      await mustBeAbsent(bench, { ...machine, status: { providerStatus: { padding } } });
    },
  },
];

export async function mustBeAbsent(bench: Bench, machine: Parameters<typeof exists>[1]): Promise<void> {
  const { is, exchange } = await exists(bench, machine);
  if (is) throw new Unmet('200 {"exists": false}', shown(exchange));
}
