import { collectionOf } from '../../../shared/adapters/kubernetes/request.ts';
import { inCapiVersion, resources } from '../kinds.ts';
import type { CapiVersion } from '../machine-apis.ts';
import type { Site } from '../site.ts';
import { until } from '../until.ts';

const patienceMilliseconds = 30_000;

/** An API server enforces a policy some time after it is made. This asks with a dry run until it refuses. */
export async function untilPoliciesHold(site: Site, namespace: string, capi: CapiVersion): Promise<void> {
  const { clock, interrupted: signal } = site;
  const rules = inCapiVersion(resources.drainRules, capi);
  const { path } = collectionOf(rules, namespace);
  const body = {
    apiVersion: `${rules.group}/${rules.version}`,
    kind: 'MachineDrainRule',
    metadata: { name: 'probe' },
    spec: { drain: { behavior: 'Skip', order: 1 } },
  };
  const waiting = { clock, signal, deadline: clock.now() + patienceMilliseconds };
  await until('the admission policies to hold', waiting, async () => {
    const { code } = await site.ask({ method: 'POST', path, query: 'dryRun=All', body });
    return code === 201 ? undefined : true;
  });
}
