import type { AuditLogs, Denial } from './audit.ts';
import type { Installation } from './install/install.ts';
import { workloadNamespace } from './install/rendered.ts';
import type { Options } from './options.ts';
import type { TestProvider } from './play/provider.ts';
import type { Report, Result } from './report.ts';
import type { Site } from './site.ts';
import type { Here, Story } from './stories/story.ts';
import { permission } from './stories/trouble.ts';
import { tellAll } from './tell.ts';
import { Interrupted } from './until.ts';
import { startManifests } from './ways/manifests.ts';
import { startRun } from './ways/run.ts';
import { type Running, type Way, wayText } from './ways/way.ts';

export interface InOneWay {
  site: Site;
  options: Options;
  outside: { report: Report; env: Readonly<Record<string, string | undefined>> };
  found: Here;
  run: string;
  /** Variables of the functions. */
  environment: Readonly<Record<string, string>>;
  installation: Installation;
  provider: TestProvider;
  namespaceOf: (way: Way, story: Story) => string;
  audit: AuditLogs;
}

/** Starts phaseout, tells the stories, and ends it. Throws Interrupted. */
export async function tellInOneWay(way: Way, at: InOneWay): Promise<Result[]> {
  const { options, outside } = at;
  const { report } = outside;
  if (way === 'run' && options.besideMachines) return notRun(way, at);
  report.note(`by ${wayText[way]}`);
  const phaseout = await start(way, at).catch((error: unknown) => failedToStart(way, error));
  if ('outcome' in phaseout) {
    report.result(phaseout);
    return [phaseout];
  }
  try {
    const results = await tellAll(options.stories, tellingOf(way, phaseout, at), options.parallel);
    const requests = await phaseout.requests();
    if (requests !== undefined)
      report.note(`the functions' last process has made ${requests} requests to API servers`);
    return [...results, ...(await audited(way, at))];
  } finally {
    await phaseout.close();
  }
}

const tellingOf = (way: Way, phaseout: Running, at: InOneWay) => ({
  ...at,
  way,
  phaseout,
  cloud: at.provider.cloud,
  here: at.found,
  timeoutSeconds: at.options.timeoutSeconds,
  namespaceOf: (story: Story) => at.namespaceOf(way, story),
  onResult: (result: Result) => at.outside.report.result(result),
});

function notRun(way: Way, { options, outside }: InOneWay): Result[] {
  const why = 'phaseout run looks after the Machines of all namespaces, and there are others';
  const results = options.stories.map(
    ({ name }): Result => ({ story: name, way, outcome: { kind: 'not run', why }, seconds: 0 }),
  );
  for (const result of results) outside.report.result(result);
  return results;
}

function start(way: Way, { site, outside, installation, environment }: InOneWay): Promise<Running> {
  const { clock, interrupted: signal } = site;
  const dynamodb = outside.env['PHASEOUT_DYNAMODB_ENDPOINT'];
  if (way === 'manifests') return startManifests({ installation, dynamodb, clock, signal });
  return startRun({ kubeconfig: installation.both, environment, clock, signal });
}

function failedToStart(way: Way, error: unknown): Result {
  if (error instanceof Interrupted) throw error;
  const why = error instanceof Error ? error.message : String(error);
  return { story: 'start', way, outcome: { kind: 'failed', why }, seconds: 0 };
}

/** Whether the roles were enough, and who asked what. */
async function audited(way: Way, at: InOneWay): Promise<Result[]> {
  const { audit, options, installation, site, outside } = at;
  if (options.auditLogs.length === 0) return [];
  const startedAt = site.clock.now();
  const { requests, denials } = await audit.read([installation.name, workloadNamespace(installation.name)]);
  outside.report.note(`the audit log has ${requests} requests of our ServiceAccounts so far`);
  const lines = denials
    .filter((denial) => isUnexpected(denial, at))
    .map(({ user, verb, uri }) => `${user} may not ${verb} ${uri}`);
  const outcome: Result['outcome'] =
    lines.length === 0 ? { kind: 'passed' } : { kind: 'failed', why: [...new Set(lines)].join('\n') };
  const result = { story: 'audit', way, outcome, seconds: (site.clock.now() - startedAt) / 1_000 };
  outside.report.result(result);
  return [result];
}

/** One story takes something away on purpose, and the Machines of others are meant to be out of reach. */
function isUnexpected({ uri }: Denial, { installation }: InOneWay): boolean {
  const [, namespace] = /\/namespaces\/([^/]+)/.exec(uri) ?? [];
  if (namespace === undefined) return true;
  return namespace.startsWith(installation.name) && !namespace.includes(`-${permission.name}-`);
}
