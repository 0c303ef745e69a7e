import { describe, expect, test } from 'vitest';
import { leaving, reasonWord, refusalCause } from '../events/enums.ts';
import { machineErrorReasons } from '../shared/actuator/port.ts';
import { entriesOf, read } from './documents/markdown.ts';
import { saidInHelp } from './documents/said-in-help.ts';
import { complaintsIn, isWord, sentenceIn, sourcesAt, textsIn } from './documents/said-in-source.ts';

const runbook = 'infra/runbook.md';
const entries = entriesOf(runbook);
const everyEntry = entries.join('\n');
/** What is always the same in an entry: often only the beginning of what is said. */
const constant = entries.flatMap((entry) => sentenceIn(entry) ?? []);

/** What the code says and the runbook has no entry for. */
const missing = (said: readonly string[]): string[] =>
  said.filter((text) => !everyEntry.includes(text) && !constant.some((part) => text.includes(part)));

describe('there is an entry, and no other,', () => {
  test('for each reason', () => {
    expect(entriesOf(runbook, 'Reasons')).toEqual(reasonWord.options);
  });

  test('for each cause of a refused eviction', () => {
    expect(entriesOf(runbook, 'Refused evictions')).toEqual(refusalCause.options);
  });

  test('for each way to pass a phase', () => {
    expect(entriesOf(runbook, 'How a phase was passed').slice(0, 5)).toEqual(leaving.options);
  });

  test('for each Kubernetes Event', () => {
    const types = ['Normal', 'Warning'];
    const reasons = textsIn(['shared/machine/report.ts']).filter(isWord);
    expect(entriesOf(runbook, 'Events').toSorted()).toEqual(
      reasons.filter((word) => !types.includes(word)).toSorted(),
    );
  });
});

/** Words of the Machine APIs that say nothing of why a deletion is where it is. */
const noReasons = [
  ['True', 'False', 'Unknown', 'Error', 'Warning', 'Info', 'Negative'],
  ['Machine', 'Node', 'Drain', 'Terminate', 'MachineAPI', 'MachineUnreadable'],
  // Where in a deletion our hooks hold.
  ['PreDrain', 'PreTerminate'],
  // Of the Cluster.
  ['ControlPlaneInitialized', 'RemoteConnectionProbe'],
  // Of the Node, and what others say of a Machine: read and sorted, never written.
  ['NodeNotFound', 'Updating', 'UpToDate'],
  ['HealthCheckSucceeded', 'OwnerRemediated', 'NodeKubeadmLabelsAndTaintsSet', 'EtcdPodHealthy'],
  ['EtcdMemberHealthy', 'APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy'],
].flat();

describe('what a Machine shows', () => {
  const words = textsIn(sourcesAt('shared/dialects/**/*.ts')).filter(isWord);

  test('has an entry: each type and reason of a condition', () => {
    const reasons = words.filter((word) => !noReasons.includes(word));
    expect(reasons.filter((word) => !entries.includes(word))).toEqual([]);
    expect(entries).toContain('phaseout.dev/Valid');
  });

  test('is what the entries of the conditions are for', () => {
    const spoken = new Set(textsIn(sourcesAt('shared/dialects/**/*.ts')));
    expect(entriesOf(runbook, 'Conditions').filter((word) => !spoken.has(word))).toEqual([]);
    expect(noReasons.filter((word) => !words.includes(word))).toEqual([]);
  });
});

test('every warning and every error of the log has an entry', () => {
  const complaints = complaintsIn(
    sourcesAt('functions/*.ts', 'shared/**/*.ts', 'infra/{host,hook-watchdog}/**/*.ts'),
  );
  expect(complaints.length).toBeGreaterThan(30);
  const spoken = entriesOf(runbook, 'The log');
  expect(complaints.filter((text) => !spoken.includes(text))).toEqual([]);
});

test('every kind of failure, and every status, that HTTP answers with has an entry', () => {
  const source = read('shared/http/failures.ts');
  const kinds = [...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, kind = '']) => kind);
  const statuses = [...(source + read('shared/http/app.ts')).matchAll(/\b(4\d\d|5\d\d)\b/g)];
  expect(kinds.length).toBeGreaterThan(7);
  const answers = entriesOf(runbook, 'HTTP answers');
  const borrowed = ['403', '500'];
  expect([...kinds, ...statuses.map(([status]) => status)].filter((word) => !answers.includes(word))).toEqual(
    statuses.map(([status]) => status).filter((status) => borrowed.includes(status)),
  );
});

test('every reason of a provider has an entry', () => {
  expect(missing(machineErrorReasons)).toEqual([]);
});

/** Errors whose texts people see. */
const told =
  /\bnew (?:Unavailable|NoCredentials|ClusterMissing|StoreUnavailable|MachineUnreadable|CannotDo|NotApplied|UsageError|ConfigInvalid)\(/;

/** Where else such texts are made. */
const others = [
  ['infra/cli/deploy/*.ts', 'infra/cli/remove/*.ts', 'infra/cli/package/*.ts'],
  ['infra/cli/release/*.ts', 'infra/{hook,hook-watchdog}/*.ts'],
  ['infra/host/main.ts', 'infra/host/tracing/{settings,otel}.ts', 'infra/serverless/environment-schema.ts'],
  [
    'shared/actuator/read-answer.ts',
    'shared/adapters/actuator/*.ts',
    'shared/adapters/{kubernetes,workload-clusters}/*.ts',
  ],
  [
    'shared/adapters/dynamodb/{connection,create-table}.ts',
    'shared/runtime/config.ts',
    'shared/reconcile/loop.ts',
  ],
  [
    'shared/dialects/*/{gates,judgements,control-plane,node-deletion}.ts',
    'shared/phase/server.ts',
    'shared/volumes/attached.ts',
  ],
  ['shared/drain/{filters,classify,message,rules}.ts'],
  ['functions/{drain,node,volume-detach}.ts', 'shared/observe/volume-detach.ts', 'shared/phase/own-node.ts'],
  ['shared/http/app.ts'],
].flat();

/** These report health or progress, stand beside another text, or have no reader. */
const needless = [
  ['Cordoning Node', 'Deleting Node', 'Nothing to do', 'Deletion started', 'Pods of order'],
  ['no Pod that must go is left on the Node', 'no volume is attached', 'the Node has been deleted'],
  ['only volumes of Pods that stay are attached', 'the instance has been deleted', 'since more than 15m'],
  ['PingSource has another schedule', 'all is ready after', 'nothing was done: a dry run'],
  [
    'there was nothing to remove',
    'for: kubectl apply --server-side --force-conflicts -k',
    'more field',
    'objects are',
  ],
  [
    'Machines are',
    'Machines keep',
    'Machine would',
    'Machines would',
    'living Machine',
    'its Machines cannot be deleted',
    'for others',
  ],
  ['Stop it (kubectl -n', 'Have it look after none (kubectl -n'],
  ['Knative Serving', 'Knative Eventing', 'https://knative.dev/docs/install/ says how', 'the body'],
  ['error deleting node', 'the time is over', 'Region is missing'],
  ['Creating instance', 'Updating instance', 'Another instance takes a step of this Machine'],
  ['has no phases', 'not asked for in this phase'],
  // Their reasons have an entry.
  ['spec.labels: Invalid value', 'spec.spec.providerspec: Invalid value: {}: value field must be set'],
  "The AuthoritativeAPI status is set to '",
  ['to release; a dry run', 'Phaseout lives, and keeps its hook', 'Machine no longer waits for phaseout'],
  'a cluster takes one. Take that one away first (phaseout remove --namespace',
  `NAME -n NAMESPACE --type merge -p '{"metadata":{"finalizers":null}}'`,
].flat();

describe('every sentence that an error or a Machine shows', () => {
  const throwing = sourcesAt('functions/*.ts', 'shared/**/*.ts', 'infra/host/*.ts').filter((path) =>
    told.test(read(path)),
  );
  const paths = [...new Set([...throwing, ...sourcesAt(...others)])];
  const said = textsIn(paths).filter((text) => !saidInHelp.has(text));
  const sentences = said.flatMap((text) => sentenceIn(text) ?? []);

  test('has an entry', () => {
    expect(sentences.length).toBeGreaterThan(100);
    expect(missing(sentences).filter((sentence) => !needless.includes(sentence))).toEqual([]);
  });

  test('is said somewhere, and nowhere else, if it is thought needless', () => {
    expect(needless.filter((sentence) => !sentences.includes(sentence))).toEqual([]);
    expect(needless.filter((sentence) => everyEntry.includes(sentence))).toEqual([]);
  });
});

/** What the SDK of AWS, Knative and the system say, and what stands for many. */
const foreign = [
  'CredentialsProviderError',
  'AccessDeniedException',
  'ECONNREFUSED',
  'serverless.yml:LINE: FIELD',
  'label cluster.x-k8s.io/drain=',
  'Unable to fetch image',
  'failed to resolve image to digest',
  'Initial scale was never achieved',
];

test('no entry is for what nobody says any more', () => {
  const rules = 'infra/manifests/observability/prometheus-rule.yaml';
  const all = [...sourcesAt('functions/**/*.ts', 'shared/**/*.ts', 'infra/**/*.ts', 'events/*.ts'), rules]
    .map(read)
    .join();
  const stale = entries.filter((entry) => {
    const kept = entry.split('…').map((part) => part.trim().replace(/:$/, ''));
    const longest = kept.reduce((long, part) => (part.length > long.length ? part : long), '');
    return !/^\d+$/.test(entry) && !foreign.includes(longest) && !all.includes(longest);
  });
  expect(stale).toEqual([]);
});
