import { readDeclaredFunctions } from '../../../infra/local/platform/declared-functions.ts';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { type Dialect, resourceOf } from '../../../shared/dialects/dialect.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { WorldParts } from '../world-parts.ts';

const served = (dialect: Dialect, version: string) => ({
  dialect,
  apiVersion: `${dialect.group}/${version}`,
  resource: resourceOf(dialect, version),
});

/** What serverless.yml declares where all three Machine APIs are served, and of Cluster API this version. */
const declaredFor = (version: string): Promise<ServerlessFile> =>
  readDeclaredFunctions([
    served(clusterApi, version),
    served(openShift, 'v1beta1'),
    served(originalApi, 'v1alpha1'),
  ]);

const files = {
  v1beta1: await declaredFor('v1beta1'),
  v1beta2: await declaredFor('v1beta2'),
} as const;

/** As serverless.yml has them. */
export const usualTicks = { dueSeconds: 5, allMinutes: 3 } as const;

/** With a version of Cluster API, and ticks that come as often as a world wants them. */
export function declared(
  version: keyof typeof files,
  ticks: Pick<WorldParts, keyof typeof usualTicks>,
): ServerlessFile {
  const file = files[version];
  const { dueSeconds = usualTicks.dueSeconds, allMinutes = usualTicks.allMinutes } = ticks;
  const schedules: Record<string, string> = {
    'sweep-due': `*/${dueSeconds} * * * * *`,
    'sweep-all': `0 */${allMinutes} * * * *`,
  };
  const pingSources = file.pingSources.map((source) => ({
    ...source,
    schedule: schedules[source.name] ?? source.schedule,
  }));
  return { ...file, pingSources };
}
