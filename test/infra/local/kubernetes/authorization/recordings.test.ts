import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { clusterApiDefinitions } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { replay } from '../../../../golden/kubernetes/replay.mjs';
import { inProcess } from '../../../../golden/kubernetes/transport.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

const recording = new URL('../../../../golden/kubernetes/transcripts/15-rbac.json', import.meta.url);

const users = {
  admin: { name: 'admin', groups: ['system:masters'] },
  limited: { name: 'limited', uid: 'limited-uid', groups: ['limited-group'] },
};

afterEach(() => {
  vi.restoreAllMocks();
});

it('who may ask what is answered as the real API server was recorded to', async () => {
  const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  // The replayer holds recorded times against Date.now, which therefore has to be the server's clock.
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now());
  const server = createApiServer({ clock, access: { users } });
  for (const definition of clusterApiDefinitions())
    server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  const report = await replay(JSON.parse(readFileSync(recording, 'utf8')), {
    transport: inProcess(server, clock),
    tokens: { admin: 'admin', limited: 'limited', bad: 'nosuchtoken' },
    run: 'abc',
    have: new Set(['rbac']),
    sleep: (milliseconds) => clock.advance(milliseconds),
  });
  expect(report.skipped).toBeUndefined();
  expect(report.steps).toHaveLength(54);
  expect(
    report.steps.flatMap(({ i, what, diffs }) => diffs.map((one) => `step ${i} ${what}: ${one}`)),
  ).toEqual([]);
});
