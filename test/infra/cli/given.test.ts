import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import type { ExampleName } from '../../../infra/local/examples/names.ts';
import { readExample } from '../../../infra/local/examples/read-example.ts';
import { isNode } from '../../../infra/local/given/given-machine.ts';
import { bringUp } from '../../../infra/local/platform/bring-up.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { aMachine, aNode, anAwsMachine, aPod } from '../../builders/dump.ts';
import { anOutside, parsed, phaseout } from './outside.ts';
import { quickClock } from './quick-clock.ts';

/** Objects in files of their own, as `kubectl get -o yaml` writes them. */
async function write(folder: string, files: Record<string, readonly object[]>): Promise<void> {
  for (const [name, items] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** A command of phaseout with these files, whose names stand in the line. */
async function withFiles(files: Record<string, readonly object[]>, line: string) {
  const { outside, written: output, folder } = await anOutside();
  await write(folder, files);
  const args = line.split(' ').map((word) => word.replace(/[\w-]+\.json$/, (name) => join(folder, name)));
  const code = await main(args, outside);
  return { code, ...output, lines: output.stdout.split('\n'), said: output.stderr.split('\n') };
}

const linesOf = ({ phases }: DeletionPlan): string[] =>
  phases.map(({ phase, does, why }) => `${phase} ${does}: ${why}`);

const missing =
  'Machine fleet/a: its Node was not given (a): its Pods and volumes are unknown, and a run goes on as if there were none';
const webPod = (name: string, nodeName = 'a') => aPod(name, nodeName, { kind: 'ReplicaSet', name: 'web' });

const management = [
  aMachine('a'),
  anAwsMachine('a'),
  aNode('of-management'),
  aPod('capi', 'of-management', { kind: 'ReplicaSet', name: 'capi' }),
];

describe('a dump of a management cluster alone', () => {
  it('is not taken for one without the Node of the Machine', async () => {
    const { code, stdout } = await withFiles({ 'm.json': management }, 'plan fleet/a --load m.json -o json');
    expect(code).toBe(0);
    const plan = parsed<DeletionPlan & { notes: string[] }>(stdout);
    expect(linesOf(plan)).toEqual([
      'pre-drain pass: no pre-drain hook holds it',
      'drain unknown: its Node was not given',
      'volume-detach unknown: its Node was not given',
      'pre-terminate pass: no pre-terminate hook holds it',
      'infrastructure work: AWSMachine a is deleted',
      'bootstrap skip: the Machine refers to none',
      'node unknown: its Node was not given',
      'finalize work: the finalizer machine.cluster.x-k8s.io is removed',
    ]);
    expect(stdout).not.toContain('does not exist');
    expect(plan.notes).toContain(missing);
  });

  it('is told with the command for the second one', async () => {
    const { lines, said } = await withFiles({ 'm.json': management }, 'plan fleet/a --load m.json');
    expect(said).toContain(missing);
    expect(said.find((line) => line.startsWith('to get the Nodes of Cluster fleet/blue: '))).toContain(
      'kubectl --kubeconfig blue.kubeconfig get nodes,pods,pdb,',
    );
    expect(lines).toContain('  drain           unknown  its Node was not given');
  });

  it('is told in the same words before a run begins', async () => {
    const run = 'run --load m.json --delete fleet/a -o json';
    const { code, lines } = await withFiles({ 'm.json': management }, run);
    const [ready] = lines.map((line) => parsed<{ event: string; notes: string[] }>(line || '{}'));
    expect({ code, event: ready?.event }).toEqual({ code: 0, event: 'ready' });
    expect(ready?.notes).toContain(missing);
  });

  it('leaves open what a Machine without a nodeRef does', async () => {
    const { status: _, ...machine } = aMachine('a');
    const nameless = { ...machine, spec: { ...machine.spec, providerID: 'aws:///i-1' } };
    const { stdout } = await withFiles({ 'm.json': [nameless] }, 'plan fleet/a --load m.json -o json');
    const unknown = parsed<DeletionPlan>(stdout).phases.filter(({ does }) => does === 'unknown');
    expect(unknown.map(({ phase }) => phase)).toEqual(['pre-drain', 'drain', 'volume-detach', 'node']);
  });

  it('leaves nothing open of steps that the Machine is excluded from', async () => {
    const metadata = { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } };
    const files = { 'm.json': [aMachine('a', { metadata }), anAwsMachine('a')] };
    const { stdout } = await withFiles(files, 'plan fleet/a --load m.json -o json');
    expect(linesOf(parsed<DeletionPlan>(stdout))[1]).toMatch(/^drain skip: /);
  });
});

describe('a dump of a workload cluster beside it', () => {
  const files = {
    // The Node and the Pod of that name are the management cluster's own.
    'm.json': [...management, aNode('a'), webPod('of-management')],
    'w.json': [aNode('a'), aNode('b'), webPod('web-1'), webPod('web-2', 'b')],
  };

  it.each([['w.json'], ['fleet/blue=w.json']])('as %s has the Node and its Pods', async (path) => {
    const line = `plan fleet/a --load m.json --load-workload ${path} -o json`;
    const { code, stdout } = await withFiles(files, line);
    expect(code).toBe(0);
    const plan = parsed<DeletionPlan & { notes: string[] }>(stdout);
    expect(plan.pods.map(({ name }) => name)).toEqual(['web-1']);
    expect(linesOf(plan)).toContain('node work: Node a is deleted');
    expect(plan.notes.join('\n')).not.toContain('its Node was not given');
  });

  it('has all Nodes of its Cluster: one that is not among them does not exist', async () => {
    const without = { ...files, 'w.json': [aNode('b')] };
    const line = 'plan fleet/a --load m.json --load-workload w.json -o json';
    const { stdout } = await withFiles(without, line);
    const plan = parsed<DeletionPlan>(stdout);
    expect(linesOf(plan)).toContain('drain pass: the Node does not exist');
    expect(plan.pods).toEqual([]);
  });

  it('is where a run drains and deletes the Node', async () => {
    const line = 'run --load m.json --load-workload fleet/blue=w.json --delete fleet/a';
    const { code, stdout, stderr } = await withFiles(files, line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^phaseout: 6 objects from \S+ and 4 of Cluster fleet\/blue at /);
    expect(stdout).toContain('evicted=shop/web-1');
    expect(stdout).not.toContain('of-management');
    expect(stdout).toContain('phase=finalize after=node as=done why="the Node has been deleted"');
  });

  it('is where the Node of a Machine of v1alpha1 is', async () => {
    const example = (await readExample('v1alpha1')).map(({ object }) => object);
    const split = { 'm.json': example.filter((one) => !isNode(one)), 'w.json': example.filter(isNode) };
    const nodeOf = async (more: string): Promise<string | undefined> => {
      const { stdout } = await withFiles(split, `plan machines/worker-1 --load m.json${more} -o json`);
      return linesOf(parsed<DeletionPlan>(stdout)).find((line) => line.startsWith('node '));
    };
    expect(await nodeOf('')).toBe('node unknown: its Node was not given');
    expect(await nodeOf(' --load-workload w.json')).toBe('node work: Node worker-1 is deleted');
  });

  it('is refused with code 2 where its Cluster is not known', async () => {
    const line = 'plan fleet/a --load m.json --load-workload fleet/green=w.json';
    const { code, stderr } = await withFiles(files, line);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'phaseout: --load-workload: there is no Cluster fleet/green in what --load gives (there are: fleet/blue)\n',
    });
  });
});

const budget = (spec: object) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'shop', generation: 1 },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: {
    currentHealthy: 3,
    desiredHealthy: 2,
    disruptionsAllowed: 1,
    expectedPods: 3,
    observedGeneration: 1,
  },
});

const dump = (spec: object) => [
  aMachine('a'),
  anAwsMachine('a'),
  aNode('a'),
  aNode('b'),
  webPod('web-1'),
  webPod('web-2'),
  webPod('web-3', 'b'),
  budget(spec),
];

describe('a dump without the owners of Pods', () => {
  const owners = 'owners of Pods were not given: ReplicaSet shop/web. ';

  it.each([
    [{ maxUnavailable: 1 }],
    [{ maxUnavailable: '34%' }],
    [{ minAvailable: 2 }],
    [{ minAvailable: '50%' }],
  ])('says so and runs, with a budget of %j', async (spec) => {
    const files = { 'd.json': dump(spec) };
    const { said } = await withFiles(files, 'plan fleet/a --load d.json');
    const note = said.find((line) => line.startsWith(owners));
    expect(note).toContain('PodDisruptionBudget shop/web');
    const run = await withFiles(files, 'run --load d.json --delete fleet/a --timeout 60');
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    expect(run.lines).toContain(`  ${note}`);
  });
});

describe('a webhook that is asked about evictions', () => {
  it('is not played, which plan and run say in the same words', async () => {
    const webhook = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'drain-cleaner' },
      webhooks: [
        {
          name: 'drain-cleaner.example.com',
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods/eviction'] },
          ],
          clientConfig: { url: 'https://127.0.0.1:1' },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
        },
      ],
    };
    const files = { 'd.json': [aMachine('a'), anAwsMachine('a'), aNode('a'), webPod('web-1'), webhook] };
    const note =
      'this webhook is not played, and the answer may differ: drain-cleaner.example.com of ' +
      'ValidatingWebhookConfiguration drain-cleaner, which is asked about evictions';
    const plan = await withFiles(files, 'plan fleet/a --load d.json');
    expect(plan.said).toContain(note);
    const run = await withFiles(files, 'run --load d.json --delete fleet/a');
    expect(run.code).toBe(0);
    expect(run.lines).toContain(`  ${note}`);
  });
});

describe('a Pod of a DaemonSet of another API group', () => {
  it.each([['given'], ['made up']])('is evicted as an orphan, with a DaemonSet that is %s', async (how) => {
    const apiVersion = 'apps.kruise.io/v1alpha1';
    const pod = aPod('agent-1', 'a', { kind: 'DaemonSet', name: 'agent' });
    const [owner] = pod.metadata.ownerReferences;
    const ofKruise = { ...pod, metadata: { ...pod.metadata, ownerReferences: [{ ...owner, apiVersion }] } };
    const metadata = { name: 'agent', namespace: 'shop', uid: 'owner-agent' };
    const set = { apiVersion, kind: 'DaemonSet', metadata, spec: {} };
    const files = {
      'd.json': [aMachine('a'), anAwsMachine('a'), aNode('a'), ofKruise, ...(how === 'given' ? [set] : [])],
    };
    const { stdout } = await withFiles(files, 'plan fleet/a --load d.json -o json');
    const [planned] = parsed<DeletionPlan>(stdout).pods;
    expect(planned).toMatchObject({
      behavior: 'Drain',
      warnings: ['evicting orphaned DaemonSet-managed Pod'],
    });
    const run = await withFiles(files, 'run --load d.json --delete fleet/a');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('evicted=shop/agent-1');
  });
});

const plurals: Readonly<Record<string, string>> = {
  pdb: 'poddisruptionbudgets',
  pv: 'persistentvolumes',
  pvc: 'persistentvolumeclaims',
};
/** The local API serves none; every real one does. */
const ofRealClusters = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];

/** What `kubectl get KINDS -A -o yaml` would write of an example that stands. */
async function dumped(name: ExampleName, kinds: string): Promise<object[]> {
  const clock = quickClock(8);
  const api = await startLocalApi({ manifests: await readExample(name), clock, random: Math.random });
  onTestFinished(() => api.close());
  await bringUp(api, clock);
  const { cluster } = api.apiServer;
  const served = kinds.split(',').filter((kind) => !ofRealClusters.includes(kind));
  return served.flatMap((kind) => {
    const plural = plurals[kind] ?? kind;
    const resources = cluster
      .resources()
      .filter((resource) => resource === plural || resource === kind || resource.startsWith(`${plural}.`));
    if (resources.length === 0) throw new Error(`the help asks for ${kind}, which is no resource`);
    return resources.flatMap((resource) => cluster.list(resource));
  });
}

/** The kinds of the command that writes a file. */
function kindsFor(help: string, file: string): string {
  const [, kinds] = new RegExp(`get (\\S+) -A -o yaml > ${file}`).exec(help) ?? [];
  if (kinds === undefined) throw new Error(`the help has no command for ${file}`);
  return kinds;
}

describe('the dumps that the help advises', () => {
  const files = ['management.yaml', 'workload.yaml', 'dump.yaml', 'openshift.yaml'];

  it('are the same for plan and run', async () => {
    const [plan, run] = await Promise.all([phaseout('plan', '--help'), phaseout('run', '--help')]);
    const commands = files.map((file) => kindsFor(plan.stdout, file));
    expect(files.map((file) => kindsFor(run.stdout, file))).toEqual(commands);
  });

  it.each(files.slice(1))('have the owners of Pods in them: %s', async (file) => {
    const { stdout } = await phaseout('plan', '--help');
    expect(kindsFor(stdout, file).split(',')).toEqual(
      expect.arrayContaining(['replicasets', 'deployments', 'statefulsets', 'jobs', 'daemonsets']),
    );
  });

  it.each<[string, ExampleName, string, string]>([
    ['of a cluster that has its own Machines', 'capi', '--load dump.json', 'fleet/worker-2'],
    [
      'of a management and a workload cluster',
      'capi',
      '--load management.json --load-workload workload.json',
      'fleet/worker-2',
    ],
    ['of OpenShift', 'openshift', '--load openshift.json', 'openshift-machine-api/worker-1'],
  ])('are planned and run with nothing missing: %s', async (_, name, load, machine) => {
    const { stdout: help } = await phaseout('plan', '--help');
    const written: Record<string, object[]> = {};
    for (const [, file = ''] of load.matchAll(/(\S+)\.json/g))
      written[`${file}.json`] = await dumped(name, kindsFor(help, `${file}.yaml`));
    const { stdout } = await withFiles(written, `plan ${machine} ${load} -o json`);
    const { notes, pods } = parsed<DeletionPlan & { notes: string[] }>(stdout);
    expect(pods).not.toEqual([]);
    expect(notes.filter((note) => note.includes('not given'))).toEqual([]);
    const run = await withFiles(written, `run ${load} --delete ${machine}`);
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
  });
});
