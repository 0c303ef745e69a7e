import { expect, test } from 'vitest';
import { severalInstances } from '../faults/instances/several.ts';
import { smallWorld } from '../faults/small-world.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { type SimulationOptions, simulate } from '../simulate.ts';
import { createTale } from './tale.ts';

/** Cries at the first eviction from a Node of this host. */
const noEvictions = (from: string): Invariant => ({
  name: 'nobody is evicted',
  watch: (_world, _scenario, violated) => ({
    after({ host, resource, name }) {
      if (host === from && resource === 'pods/eviction') violated(`${name}: it was evicted`);
    },
  }),
});

const told = (...invariants: Invariant[]): Promise<string> => toldOf({ faults: [], invariants });

async function toldOf(
  options: Pick<SimulationOptions, 'faults' | 'invariants' | 'always'>,
  seed = 1,
): Promise<string> {
  const tale = createTale();
  const { observers } = tale;
  const outcome = await simulate(seed, { ...options, scenario: smallWorld, observers });
  // Times are those of the steps of the seed.
  return tale.text('One world', outcome).replaceAll(/ *\d+\.\d{3}\b/g, ' …');
}

test('a tale begins with who is there', async () => {
  const [head] = (await told()).split('\n\n');
  expect(head?.split('\n')).toEqual([
    'One world',
    '  1 instance of phaseout; steps take up to 26 ms',
    '  instance-N is a process of phaseout, source-N an adapter that watches Machines and sends events of them;',
    '    whoever begins later has a new number; in brackets: the fault that strikes, whom, and in which phase',
    '  ticks ask for what is due every 5 s, and for everything every 3 min',
    '  configured: PHASEOUT_ACTUATOR_SECRET=phaseout/provider-token',
    '  clusters: management, blue (Cluster API in v1beta2)',
    ' … is 2026-01-01T00:00:03.000Z; things go wrong until …',
    '  Machine fleet/blue-cp-1 (capi) without a Node; labels cluster.x-k8s.io/control-plane',
    '  Machine fleet/blue-worker-1 (capi) with Node node-1 in blue',
    '    Pod shop/a',
    '    Pod shop/b',
    '  Machine openshift-machine-api/shop-worker-1 (openshift) with Node node-1 in management; labels machine.openshift.io/cluster-api-machine-role=worker',
    '    Pod shop/a',
    '    Pod shop/b',
    '  Cluster fleet/blue: labels site=blue',
    '  no fault strikes',
  ]);
});

test('a tale says which faults strike, what they are, and what they did', async () => {
  const text = await toldOf({ faults: [severalInstances], always: true, invariants: [] }, 2);
  const [head = '', lines] = text.split('\n\n');
  expect(head.split('\n').slice(-2)).toEqual([
    '  faults that strike:',
    expect.stringMatching(
      /^ {4}several-instances \(\d+ times\): Several instances work on one Machine at the same time\.$/,
    ),
  ]);
  expect(lines).toMatch(
    / {2}the Broker +sends the drain of Machine fleet\/blue-worker-1 to \d instances at once {2}\[several-instances during drain\]\n/,
  );
});

test('a tale in which nothing is violated says so', async () => {
  expect(await told()).toMatch(/\n\nNothing was violated.\n\(\d+ events in \d+ s by its own clock\)\n$/);
});

test('a tale says of a violation who had read what, how it stood, and which lines are about it', async () => {
  const text = await toldOf({ faults: [], invariants: [noEvictions('blue')] }, 10);
  const [, account = ''] = text.split('VIOLATED: ');
  expect(account.split('\n')).toEqual([
    'nobody is evicted',
    '  b: it was evicted',
    '  at …, while instance-1 was in drain of Machine fleet/blue-worker-1, drain of Machine openshift-machine-api/shop-worker-1',
    '',
    'What instance-1 had read last:',
    ' …  machines.machine.openshift.io openshift-machine-api/shop-worker-1',
    ' …  machines.cluster.x-k8s.io fleet/blue-worker-1',
    ' …  clusters.cluster.x-k8s.io fleet/blue',
    ' …  nodes node-1',
    ' …  machines.cluster.x-k8s.io fleet (cluster.x-k8s.io/cluster-name=blue)',
    ' …  genericinfrastructuremachines.infrastructure.cluster.x-k8s.io fleet/blue-worker-1',
    ' …  secrets fleet/blue-kubeconfig',
    ' …  nodes node-1 in blue',
    ' …  pods (spec.nodeName=node-1)',
    ' …  all machinedrainrules.cluster.x-k8s.io openshift-machine-api',
    ' …  pods (spec.nodeName=node-1) in blue',
    ' …  all machinedrainrules.cluster.x-k8s.io fleet',
    '',
    'How it stood right after:',
    '  Machine fleet/blue-worker-1; being deleted',
    '    phase drain',
    '    infrastructure: there, finalizers machine.infrastructure.local.phaseout.dev',
    '    bootstrap config: there',
    '  Node node-1 in blue; cordoned',
    '    Pod shop/a',
    '    Pod shop/b; being deleted; has until … to stop',
    '',
    'Lines above that are about it:',
    ' …  instance-1                  writes the checkpoint of Machine fleet/blue-worker-1: phase drain',
    ' …  instance-1                  cordons Node node-1',
    ' …  instance-1                  cordons Node node-1 in blue',
    ' …  instance-1                  evicts Pod shop/b',
    ' …  instance-1                  evicts Pod shop/b in blue',
    '',
    expect.stringMatching(/^\(\d+ events in \d+ s by its own clock\)$/),
    '',
  ]);
});

test('a tale says of a violation whose clock was wrong', async () => {
  const late: Invariant = {
    name: 'clocks are right',
    watch: (world, _scenario, violated) => ({
      calm() {
        world.instances()[0]?.strand.skew(-90_000);
        violated('one is not');
      },
    }),
  };
  const [, stood = ''] = (await told(late)).split('How it stood right after:\n');
  expect(stood.split('\n')).toContain('  the clock of instance-1 is 90 s behind');
});

test('where nobody has acted, a tale shows how those stand that are being deleted', async () => {
  const silence: Invariant = {
    name: 'nothing is told',
    watch: (_world, _scenario, violated) => ({
      event({ attributes: { type } }) {
        if (type === 'dev.knative.apiserver.resource.update') violated('an update');
      },
    }),
  };
  const [, account = ''] = (await told(silence)).split('VIOLATED: ');
  expect(account.split('\n').slice(0, 11)).toEqual([
    'nothing is told',
    '  an update',
    '  at …',
    '',
    'How it stood right after:',
    '  Machine fleet/blue-worker-1; being deleted',
    '    infrastructure: there, finalizers machine.infrastructure.local.phaseout.dev',
    '    bootstrap config: there',
    '  Node node-1 in blue; not cordoned',
    '    Pod shop/a',
    '    Pod shop/b',
  ]);
});

test('whoever is named in a violation is looked for in the lines above', async () => {
  const blamed: Invariant = {
    name: 'nobody is blamed',
    watch: (_world, _scenario, violated) => ({ calm: () => violated('it was shop/b: nobody else') }),
  };
  const [, lines = ''] = (await told(blamed)).split('Lines above that are about it:\n');
  expect(lines.split('\n')).toContain(' …  instance-1                  evicts Pod shop/b in blue');
});
