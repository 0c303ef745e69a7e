import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clusterApiDefinitions } from '../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { replay, type Transcript } from '../../../golden/kubernetes/replay.mjs';
import { inProcess } from '../../../golden/kubernetes/transport.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';
import { widgets } from '../../../golden/kubernetes/widgets.ts';
import { expectations } from './differences.ts';

const folder = new URL('../../../golden/kubernetes/transcripts/', import.meta.url);
// Played by the tests of the controllers and of authorization, without which they make no sense.
const playedElsewhere = [
  '06-propagation-with-gc',
  '07-eviction-pdb-kcm',
  '10-namespace-termination',
  '15-rbac',
];

function serverWithDefinitions(clock: VirtualClock) {
  const server = createApiServer({ clock });
  for (const definition of [...clusterApiDefinitions(), widgets]) {
    server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  }
  return server;
}

async function play(transcript: Transcript, level: 'full' | 'reason') {
  const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  // The replayer holds recorded times against Date.now, which therefore has to be the server's clock.
  vi.spyOn(Date, 'now').mockImplementation(() => clock.now());
  const server = serverWithDefinitions(clock);
  return replay(transcript, {
    transport: inProcess(server, clock),
    tokens: { admin: 'admin', bad: 'nosuchtoken' },
    run: 'abc',
    level,
    have: new Set(['no-kcm', 'compaction', 'forged-continue', 'openapi']),
    actions: { compact: () => server.compact() },
    sleep: (milliseconds) => clock.advance(milliseconds),
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the API server answers as the real one was recorded to', () => {
  it.each(Object.entries(expectations))('%s', async (name, { level, differences }) => {
    const transcript: Transcript = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
    const report = await play(transcript, level);
    const unexpected = report.steps.flatMap(({ i, what, diffs }) =>
      i in differences ? [] : diffs.map((difference) => `step ${i} ${what}: ${difference}`),
    );
    const differing = report.steps.filter(({ ok }) => !ok).map(({ i }) => String(i));
    expect(report.skipped).toBeUndefined();
    expect(unexpected).toEqual([]);
    expect(differing, 'steps listed as differing that do not differ any more').toEqual(
      Object.keys(differences),
    );
  });

  it('leaves no recording out', () => {
    const recorded = readdirSync(folder).map((file) => file.replace('.json', ''));
    expect(recorded.toSorted()).toEqual([...Object.keys(expectations), ...playedElsewhere].toSorted());
  });
});
