import type { ActuatorReport } from '../../../../shared/actuator/port.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { type Outcome, Unmet } from '../../../conformance/outcome.ts';
import { type Bench, type Check, ofServer, pause, tooLate } from '../check.ts';
import { shown } from '../client.ts';
import { withoutIdentity, withReport } from '../machines.ts';
import { attempt, exists, report } from '../verbs.ts';

const atOnce = 5;

export const create: Check = { name: 'create makes a server, and it exists', run: createServer };

/** How servers come and stay what they are. */
export const creation: readonly Check[] = [
  create,
  ofServer('creating again is harmless, also when the first report was lost', (bench, server) =>
    mustKeepIdentity(bench, 'create', server, withoutReport(server)),
  ),
  ofServer('updating works', mustUpdate),
  ofServer('updating again is harmless', mustUpdate),
  ofServer(`${atOnce} creates of one Machine at once make one server`, createAtOnce),
  ofServer('an impossible configuration is refused with InvalidConfiguration', createImpossible),
];

async function createServer(bench: Bench): Promise<Outcome | void> {
  const machine = bench.machines.make();
  const { value, exchange } = await attempt(bench, 'create', machine);
  if (value.kind !== 'done') {
    const isOurExample = bench.machines.template.isExample && value.kind === 'failed';
    if (!isOurExample || value.reason !== 'InvalidConfiguration') {
      throw new Unmet('200 with a report, to create', shown(exchange));
    }
    bench.machines.forget(machine);
    return {
      kind: 'skipped',
      why: `the provider refuses our example (give yours with --machine): ${value.message}`,
    };
  }
  const known = withReport(machine, value.report);
  bench.machines.remember(known);
  const seconds = await secondsUntilItExists(bench, known);
  bench.server = known;
  // A deletion in between finds no server and leaves it behind.
  if (seconds > 0)
    throw new Unmet('exists to be true from the answer to create on', `only ${seconds} s later`);
  return formNote(value.report);
}

function formNote({ providerID }: ActuatorReport): Outcome | void {
  if (providerID === undefined || /^[^:/\s]+:\/\/\S*[^/\s]$/.test(providerID)) return;
  return {
    kind: 'noted',
    note: `the providerID ${JSON.stringify(providerID)} is not of the form cloud://…/id`,
  };
}

async function secondsUntilItExists(bench: Bench, machine: KubeObject): Promise<number> {
  const start = bench.clock.now();
  for (;;) {
    const seconds = (bench.clock.now() - start) / 1000;
    const { is, exchange, soon } = await exists(bench, machine);
    if (is) return seconds;
    if (seconds + soon > bench.deadlineSeconds) {
      throw tooLate(bench, (within) => `exists to be true ${within} of the create`, shown(exchange));
    }
    await pause(bench.clock, soon);
  }
}

/** What comes of a crash between the create and the write of its report. */
const withoutReport = (machine: KubeObject): KubeObject => ({
  ...machine,
  spec: withoutIdentity(machine['spec']),
  status: {},
});

function mustUpdate(bench: Bench, server: KubeObject): Promise<void> {
  return mustKeepIdentity(bench, 'update', server, server);
}

async function mustKeepIdentity(
  bench: Bench,
  operation: 'create' | 'update',
  server: KubeObject,
  sent: KubeObject,
): Promise<void> {
  const answered = await report(bench, operation, sent);
  const before = providerIdOf(server);
  if (before !== undefined && answered.providerID !== undefined && answered.providerID !== before) {
    throw new Unmet(`the providerID ${before} as before`, answered.providerID);
  }
  bench.server = withReport(server, answered);
  bench.machines.remember(bench.server);
}

export function providerIdOf({ spec }: KubeObject): string | undefined {
  const found =
    typeof spec === 'object' && spec !== null && 'providerID' in spec ? spec.providerID : undefined;
  return typeof found === 'string' ? found : undefined;
}

async function createAtOnce(bench: Bench): Promise<Outcome | void> {
  const machine = bench.machines.make();
  const answers = await Promise.all(Array.from({ length: atOnce }, () => attempt(bench, 'create', machine)));
  const reports: ActuatorReport[] = [];
  for (const { value, exchange } of answers) {
    if (value.kind !== 'done') throw new Unmet(`200 to each of ${atOnce} creates`, shown(exchange));
    reports.push(value.report);
  }
  reports.push(await report(bench, 'update', machine));
  const ids = new Set(reports.map(({ providerID }) => providerID).filter((id) => id !== undefined));
  if (ids.size > 1) throw new Unmet('one providerID', [...ids].join(', '));
  if (ids.size === 0)
    return { kind: 'noted', note: 'no providerID is reported: it cannot be told how many servers there are' };
}

async function createImpossible(bench: Bench): Promise<Outcome | void> {
  const machine = {
    ...bench.machines.make(),
    spec: { providerSpec: { value: 'conformance: no configuration' } },
  };
  const expected = '422 {"error": {"reason": "InvalidConfiguration", "message": "…"}}, to create';
  const { value, exchange } = await attempt(bench, 'create', machine, expected);
  if (value.kind === 'failed' && value.reason === 'InvalidConfiguration')
    return bench.machines.forget(machine);
  return { kind: 'noted', note: `a providerSpec that is only a text was not refused so: ${shown(exchange)}` };
}
