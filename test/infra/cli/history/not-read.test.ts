import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { startForwarding } from '../../../shared/adapters/kubernetes/port-forward/forwarding-server.ts';
import { aGuardedCluster, kubeconfigOf } from '../look/guarded.ts';
import { anOutside, parsed } from '../outside.ts';
import { aMachine, anEntry, aStore, firstUid, history } from './a-store.ts';

const configMap = (data: Record<string, string>, namespace = 'phaseout'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'phaseout', namespace },
  data,
});
const namespaceOf = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

const labels = { 'app.kubernetes.io/component': 'store' };
const service: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'phaseout-dynamodb', namespace: 'phaseout' },
  spec: { selector: labels, ports: [{ name: 'http', port: 8000, targetPort: 'http' }] },
};
const podOf = (name: string, ready: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'phaseout', labels },
  spec: {
    containers: [{ name: 'store', image: 'dynamodb', ports: [{ name: 'http', containerPort: 8001 }] }],
  },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const inCluster = configMap({ PHASEOUT_DYNAMODB_ENDPOINT: 'http://phaseout-dynamodb.phaseout.svc:8000' });
const rights = ['get configmaps', 'get services', 'list pods', 'create pods/portforward'];

/** A cluster with these objects and the user viewer, who has these rights. */
async function aCluster(objects: readonly KubeObject[], may: readonly string[] = rights) {
  const { folder } = await anOutside();
  const namespaces = ['phaseout', 'blue'].map(namespaceOf);
  return {
    folder,
    ...(await aGuardedCluster([...namespaces, ...objects], may, { folder, name: 'here' })),
  };
}

const saidFor = async (objects: readonly KubeObject[], may?: readonly string[], ...more: string[]) => {
  const { kubeconfig } = await aCluster(objects, may);
  const { code, said } = await history(['fleet/worker-1', '--kubeconfig', kubeconfig, ...more]);
  expect(code).toBe(3);
  expect(said.slice(0, 2)).toEqual([
    'phaseout: the history was not read',
    '  --table, --endpoint, --region: none of them is given',
  ]);
  return said.slice(2).join('\n');
};

const variables = "  the functions' own variables: ";

describe('phaseout history, where no store can be read', () => {
  test.each<[string, KubeObject[], string[] | undefined, string]>([
    [
      'no installation',
      [],
      undefined,
      'the cluster of context here has no ConfigMap phaseout in namespace phaseout (--installed-in names another)',
    ],
    [
      'variables that may not be read',
      [inCluster],
      [],
      'not read: configmaps phaseout/phaseout: forbidden for user viewer',
    ],
    [
      'variables that name no store',
      [configMap({ AWS_REGION: '', PHASEOUT_TABLE: 'blue' })],
      undefined,
      'ConfigMap phaseout/phaseout has neither AWS_REGION nor PHASEOUT_DYNAMODB_ENDPOINT: something else tells the functions, so tell --region',
    ],
    [
      'a Service that is not there',
      [inCluster],
      undefined,
      "Service phaseout/phaseout-dynamodb, which the functions' store is behind, is not there",
    ],
    [
      'a Service that may not be read',
      [inCluster, service],
      ['get configmaps'],
      'not read: services phaseout/phaseout-dynamodb: forbidden for user viewer',
    ],
    [
      'no Pod that is ready',
      [inCluster, service, podOf('store-1', 'False')],
      undefined,
      'no Pod of Service phaseout/phaseout-dynamodb is ready',
    ],
    [
      'Pods that may not be listed',
      [inCluster, service],
      ['get configmaps', 'get services'],
      'not read: pods in namespace phaseout: forbidden for user viewer',
    ],
    [
      'a port that is not the Service’s',
      [configMap({ PHASEOUT_DYNAMODB_ENDPOINT: 'http://phaseout-dynamodb.phaseout.svc' }), service],
      undefined,
      'Service phaseout/phaseout-dynamodb has no Pods behind its port 80',
    ],
  ])('%s is said', async (_, objects, may, said) => {
    expect(await saidFor(objects, may)).toBe(`${variables}${said}`);
  });

  test('an API server that does not answer is said', async () => {
    const { folder } = await anOutside();
    const server = createServer();
    const url = await listenLocally(server);
    server.close();
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf('there', url));
    const { code, said } = await history(['fleet/worker-1', '--kubeconfig', kubeconfig]);
    expect(code).toBe(3);
    expect(said[2]).toMatch(
      /^ {2}the functions' own variables: not read: configmaps phaseout\/phaseout: .*ECONNREFUSED/,
    );
  });

  test('no kubeconfig is said', async () => {
    const { code, said } = await history(['fleet/worker-1'], { HOME: '/nowhere' });
    expect({ code, said }).toEqual({
      code: 3,
      said: [
        'phaseout: the history was not read',
        '  --table, --endpoint, --region: none of them is given',
        `${variables}no kubeconfig: KUBECONFIG is not set, and /nowhere/.kube/config does not exist`,
      ],
    });
  });

  test('a kubeconfig that is named and is none is a mistake', async () => {
    const { code, said } = await history(['fleet/worker-1', '--kubeconfig', '/nowhere/kubeconfig']);
    expect({ code, said: said[0] }).toEqual({
      code: 2,
      said: 'phaseout: --kubeconfig /nowhere/kubeconfig: no such file or directory',
    });
  });

  test.each([
    [['--example', 'capi'], '--example capi'],
    [['--load', '/dump.yaml'], '--load'],
  ])('%j has none', async (args, name) => {
    const { code, said } = await history(['fleet/worker-1', ...args]);
    expect({ code, said: said.slice(1) }).toEqual({
      code: 3,
      said: [
        '  --table, --endpoint, --region: none of them is given',
        `  ${name}: there are Machines in it, and no history: that is in the store of who deletes them`,
      ],
    });
  });

  test('a store that does not answer is said, and nothing else is asked where it is named', async () => {
    const server = createServer();
    const endpoint = await listenLocally(server);
    server.close();
    const { code, lines, said } = await history(['fleet/worker-1', '--endpoint', endpoint, '-o', 'json']);
    expect({ code, said }).toEqual({ code: 3, said: [''] });
    expect(parsed(lines.join(''))).toEqual({
      notRead: [
        expect.stringMatching(/^--table, --endpoint, --region: DynamoDB table phaseout: .*ECONNREFUSED/),
      ],
    });
  });
});

describe('phaseout history of a cluster', () => {
  test('reads the store that the functions’ own variables name', async () => {
    const { store, endpoint } = await aStore('blue');
    await store.appendHistory(aMachine(firstUid), [anEntry(1)]);
    const data = { PHASEOUT_TABLE: 'blue', PHASEOUT_DYNAMODB_ENDPOINT: endpoint, AWS_REGION: '' };
    const { kubeconfig, asked } = await aCluster([configMap(data, 'blue')], ['get configmaps']);
    const args = ['fleet/worker-1', '--kubeconfig', kubeconfig, '--installed-in', 'blue'];
    const { code, lines } = await history(args);
    expect({ code, title: lines[0] }).toEqual({
      code: 0,
      title: `Machine fleet/worker-1 of cluster.x-k8s.io/v1beta2, UID ${firstUid}`,
    });
    expect(asked.map(({ verb, resource, name }) => `${verb} ${resource} ${name}`)).toEqual([
      'get configmaps phaseout',
    ]);
  });

  test('reads a store in the cluster through a port-forward', async () => {
    const { store, endpoint } = await aStore();
    await store.appendHistory(aMachine(firstUid), [anEntry(1)]);
    const pods = [podOf('store-1', 'False'), podOf('store-2', 'True')];
    const { folder, url } = await aCluster([inCluster, service, ...pods]);
    const forwarding = await startForwarding({ pod: endpoint, apiServer: url });
    const kubeconfig = join(folder, 'forwarding');
    await writeFile(kubeconfig, kubeconfigOf('here', forwarding.url));
    const { code, lines } = await history(['--node', 'node-1', '--kubeconfig', kubeconfig, '-o', 'json']);
    expect({ code, answer: parsed(lines.join('')) }).toMatchObject({
      code: 0,
      answer: {
        where:
          'table phaseout (http://phaseout-dynamodb.phaseout.svc:8000), through a port-forward to Pod phaseout/store-2',
        histories: [{ machine: { uid: firstUid } }],
      },
    });
    expect([...new Set(forwarding.asked)]).toEqual([
      '/api/v1/namespaces/phaseout/pods/store-2/portforward?ports=8001',
    ]);
  });

  test('says that a port-forward is refused', async () => {
    const { folder, url } = await aCluster([inCluster, service, podOf('store-1', 'True')]);
    const forwarding = await startForwarding({ pod: 'http://127.0.0.1:1', apiServer: url, refusal: 403 });
    const kubeconfig = join(folder, 'forwarding');
    await writeFile(kubeconfig, kubeconfigOf('here', forwarding.url));
    const { code, said } = await history(['--node', 'node-1', '--kubeconfig', kubeconfig]);
    expect({ code, said: said[2] }).toEqual({
      code: 3,
      said: `${variables}port-forward to Pod phaseout/store-1: Unexpected server response: 403`,
    });
  });
});
