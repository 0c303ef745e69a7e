import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AuditEntry } from '../../../../infra/local/kubernetes/authorization/access.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../../infra/local/kubernetes/server/http.ts';
import type { Elsewhere } from '../../../../infra/local/load/kubeconfigs.ts';
import { load } from '../../../../infra/local/load/load.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

/** What a user may read: `get list watch pods`, `get clusters.cluster.x-k8s.io`. */
export type Rights = readonly string[] | { rules: unknown };

/**
 * An API server that checks its users. The user viewer has these rights alone. Kubeconfig Secrets lead to an
 * administrator.
 */
export interface Guarded {
  server: ApiServer;
  url: string;
  /** What the viewer asked, allowed or not. */
  asked: AuditEntry[];
  /** Of the viewer. */
  kubeconfig: string;
}

const viewer = 'viewer';

export async function aGuardedCluster(
  objects: readonly KubeObject[],
  rights: Rights,
  { folder, name, elsewhere }: { folder: string; name: string; elsewhere?: Elsewhere },
): Promise<Guarded> {
  const asked: AuditEntry[] = [];
  const users = {
    [viewer]: { name: viewer, groups: ['system:authenticated'] },
    local: { name: 'administrator', groups: ['system:masters', 'system:authenticated'] },
  };
  const audit = (entry: AuditEntry): void => void (entry.user === viewer && asked.push(entry));
  const server = createApiServer({ clock: systemClock, access: { users, audit } });
  const listening = await listen(server);
  const { url } = listening;
  onTestFinished(() => listening.close());
  const manifests = objects.map((object) => ({ from: name, object }));
  load(server, manifests, url, elsewhere && { elsewhere });
  for (const object of roleOf(rights)) server.cluster.create(...object);
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  await writeFile(kubeconfig, kubeconfigOf(name, url));
  return { server, url, asked, kubeconfig };
}

/** With one context, which has the cluster's name. */
export const kubeconfigOf = (name: string, server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { token: viewer } }],
  });

const rbac = 'rbac.authorization.k8s.io';

function roleOf(rights: Rights): [string, KubeObject][] {
  const rules = 'rules' in rights ? rights.rules : rights.map(ruleOf);
  const metadata = { name: viewer };
  return [
    [`clusterroles.${rbac}`, { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules }],
    [
      `clusterrolebindings.${rbac}`,
      {
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: viewer },
        subjects: [{ apiGroup: rbac, kind: 'User', name: viewer }],
      },
    ],
  ];
}

function ruleOf(right: string) {
  const words = right.split(' ');
  const [resource = '', ...group] = (words.at(-1) ?? '').split('.');
  return { apiGroups: [group.join('.')], resources: [resource], verbs: words.slice(0, -1) };
}
