import { readExistence } from '../../../../shared/actuator/read-answer.ts';
import { Unmet } from '../../../conformance/outcome.ts';
import { type Check } from '../check.ts';
import { shown } from '../client.ts';
import { mustExist, removeToTheEnd, said, send } from '../verbs.ts';

const bytesOfALargeMachine = 1_048_576;

/** What a provider says of Machines that it has never made a server for. */
export const unknownMachines: readonly Check[] = [
  {
    name: 'a Machine that was never created has no server',
    run: (bench) => mustExist(bench, bench.machines.make(), false),
  },
  {
    name: 'deleting what never existed is accepted',
    async run(bench) {
      const machine = bench.machines.make();
      await removeToTheEnd(bench, machine);
      await mustExist(bench, machine, false);
    },
  },
  {
    name: 'a cluster of null is no cluster, and unknown fields are ignored',
    async run(bench) {
      const { client, machines } = bench;
      const { machine, cluster = null } = machines.question(machines.make());
      const body = JSON.stringify({ machine, cluster, later: { more: true } });
      const expected = '200 {"exists": false}';
      const exchange = await send(bench, '/v1/exists', { body, token: client.token });
      if (said(exchange, readExistence, expected).value.kind !== 'absent')
        throw new Unmet(expected, shown(exchange));
    },
  },
  {
    name: 'a Machine of a megabyte is taken',
    async run(bench) {
      const machine = bench.machines.make();
      const padding = 'x'.repeat(bytesOfALargeMachine);
      await mustExist(bench, { ...machine, status: { providerStatus: { padding } } }, false);
    },
  },
];
