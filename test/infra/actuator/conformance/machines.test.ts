import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { aFile } from './a-file.ts';
import { check, usual } from './check.ts';
import { reference } from './providers.ts';

describe('Machines are made', () => {
  const bodySchema = z.object({
    machine: z.looseObject({ metadata: z.looseObject({}) }),
    cluster: z.unknown().optional(),
  });

  /** The Machines that are asked about, each once. */
  async function askedWith(args: string[]) {
    const bodies: string[] = [];
    await check(reference, [...usual, ...args], { whenAsked: (body) => bodies.push(body) });
    const created = bodies.filter((body) => body.includes('instanceType'));
    return created.map((body) => bodySchema.parse(JSON.parse(body)));
  }

  const manifest = `
apiVersion: machine.openshift.io/v1beta1
kind: Machine
metadata:
  name: cluster-7xk2p-worker-eu-west-1a-with-a-name-that-is-rather-long
  namespace: machines
  uid: 0d8b8a3e-2f1c-4a55-9f3b-6f0e3f2f5a11
  resourceVersion: "1"
  labels: { zone: a }
  finalizers: [machine.machine.openshift.io]
spec:
  providerID: aws:///eu-west-1a/i-0123
  providerSpec: { value: { instanceType: m5.large } }
status:
  phase: Running
`;

  test('from a manifest, each as new', async () => {
    const asked = await askedWith(['--machine', await aFile('machine.yaml', manifest)]);
    expect(asked[0]).toEqual({
      machine: {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'Machine',
        metadata: {
          name: 'cluster-7xk2p-worker-eu-west-1a-with-a-name-that-is-ra-00000001',
          namespace: 'machines',
          uid: '00000001-0000',
          labels: { zone: 'a' },
        },
        spec: { providerSpec: { value: { instanceType: 'm5.large' } } },
      },
    });
    expect(
      asked.filter(({ machine }) => machine.metadata['uid'] === '0d8b8a3e-2f1c-4a55-9f3b-6f0e3f2f5a11'),
    ).toEqual([]);
  });

  test('of v1alpha1 with the Cluster that is given', async () => {
    const machine = await aFile(
      'machine.yaml',
      manifest.replace('machine.openshift.io/v1beta1', 'cluster.k8s.io/v1alpha1'),
    );
    const cluster = {
      apiVersion: 'cluster.k8s.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'c', namespace: 'machines' },
    };
    const asked = await askedWith([
      '--machine',
      machine,
      '--cluster',
      await aFile('cluster.json', JSON.stringify(cluster)),
    ]);
    expect(asked[0]?.cluster).toEqual(cluster);
  });

  test('of OpenShift without any Cluster: that API has none', async () => {
    const cluster = `
apiVersion: cluster.k8s.io/v1alpha1
kind: Cluster
metadata: { name: c, namespace: machines }
`;
    const asked = await askedWith([
      '--machine',
      await aFile('machine.yaml', manifest),
      '--cluster',
      await aFile('cluster.yaml', cluster),
    ]);
    expect(asked[0]).not.toHaveProperty('cluster');
  });

  test('with deletionTimestamp only once they are deleted, and with what was reported', async () => {
    const asked = await askedWith(['--machine', await aFile('machine.yaml', manifest)]);
    const deleted = asked.filter(({ machine }) => machine.metadata['deletionTimestamp'] !== undefined);
    expect(deleted.length).toBeGreaterThan(5);
    const known = deleted.filter(({ machine }) => machine['status'] !== undefined);
    expect(known[0]?.machine).toMatchObject({
      spec: { providerID: expect.stringMatching(/^local:/) },
      status: { providerStatus: { instanceState: 'creating' } },
    });
  });
});
