import type { TestContext } from 'vitest';
import { startControllers } from '../../infra/local/controllers/index.ts';
import type { AuditEntry } from '../../infra/local/kubernetes/authorization/access.ts';
import { masters } from '../../infra/local/kubernetes/authorization/user.ts';
import { type ApiServer, createApiServer } from '../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../infra/local/kubernetes/server/http.ts';
import { kubeconfigFor } from '../../infra/local/load/kubeconfigs.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../shared/time/clock.ts';
import type { Outside } from './conformance.ts';
import type { Result } from './report.ts';

export interface Stage {
  apiServer: ApiServer;
  outside: Outside;
  audit: AuditEntry[];
  notes: string[];
  interrupt: () => void;
  /** Names of whatever a run makes that is in no namespace, and the namespaces. */
  left: () => string[];
}

/** An API server with RBAC and what kube-controller-manager runs; no kubelets. */
export async function aServer({ onTestFinished }: TestContext): Promise<Stage> {
  const audit: AuditEntry[] = [];
  const users = { local: { name: 'somebody', groups: [masters] } };
  const access = { users, audit: (entry: AuditEntry) => void audit.push(entry) };
  const apiServer = createApiServer({ clock: systemClock, access });
  const listening = await listen(apiServer);
  const only = ['namespace', 'service-account', 'disruption', 'garbage-collector'] as const;
  const stop = startControllers(apiServer.cluster, systemClock, { only, report: () => undefined });
  onTestFinished(async () => {
    stop();
    await listening.close();
  });
  const notes: string[] = [];
  const interruption = new AbortController();
  const outside: Outside = {
    kubeConfig: loadKubeConfig({ text: kubeconfigFor(listening.url) }),
    clock: systemClock,
    interrupted: interruption.signal,
    report: { note: (text) => void notes.push(text), result: () => undefined, end: () => undefined },
    env: {},
    random: 'abcde',
  };
  const left = (): string[] =>
    apiServer.cluster
      .resources()
      .flatMap((resource) => apiServer.cluster.list(resource))
      .filter(({ metadata }) => JSON.stringify(metadata).includes('abcde'))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return { apiServer, outside, audit, notes, left, interrupt: () => interruption.abort() };
}

export const outcomesOf = (results: readonly Result[]): string[] =>
  results.map(({ story, way, outcome }) =>
    [way, story, outcome.kind, 'why' in outcome ? outcome.why : ''].join(' ').trim(),
  );

export const refusalOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
