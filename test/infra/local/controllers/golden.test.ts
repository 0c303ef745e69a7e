import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startControllers } from '../../../../infra/local/controllers/index.ts';
import { machines } from '../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import type { ApiRequest } from '../../../../infra/local/kubernetes/server/request.ts';
import { replay } from '../../../golden/kubernetes/replay.mjs';
import { inProcess } from '../../../golden/kubernetes/transport.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const transcripts = new URL('../../../golden/kubernetes/transcripts/', import.meta.url);

// Recorded beside kube-controller-manager alone: no scheduler bound Pods and no kubelet ran them.
const recorded = ['garbage-collector', 'namespace', 'service-account', 'disruption', 'replicaset'] as const;

it.each(['06-propagation-with-gc', '07-eviction-pdb-kcm', '10-namespace-termination'])(
  'does what the real controllers did in %s',
  async (name) => {
    const clock = new VirtualClock(Date.now());
    const server = createApiServer({ clock });
    server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', machines);
    const reported: string[] = [];
    const report = (error: unknown, about: string) => reported.push(`${about}: ${String(error)}`);
    const stop = startControllers(server.cluster, clock, { only: recorded, report });
    const transport = inProcess(server, clock);

    const result = await replay(JSON.parse(readFileSync(new URL(`${name}.json`, transcripts), 'utf8')), {
      // Between two requests of the recording the controllers had time to see the first.
      transport: {
        ...transport,
        request: async (request: ApiRequest) => {
          await clock.advance(1);
          return transport.request(request);
        },
      },
      tokens: { admin: 'admin' },
      run: 'abc',
      have: new Set(['kcm']),
      level: 'full',
      sleep: (milliseconds: number) => clock.advance(milliseconds),
    });
    stop();
    const differences = result.steps.flatMap(({ i, diffs }) =>
      diffs.map((difference) => `${i}: ${difference}`),
    );
    expect(differences).toEqual([]);
    expect(result.passed).toBeGreaterThan(20);
    expect(reported).toEqual([]);
  },
);
