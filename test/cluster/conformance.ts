import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotDo } from '../../infra/terminal/usage-error.ts';
import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Clock } from '../../shared/time/clock.ts';
import { openAuditLogs } from './audit.ts';
import { cleanUp } from './clean-up.ts';
import { foundTexts } from './found-texts.ts';
import { install } from './install/install.ts';
import { tellInOneWay } from './one-way.ts';
import type { Options } from './options.ts';
import { hasDisruptionController } from './play/budgets.ts';
import { startPlayers } from './play/players.ts';
import { openProvider } from './play/provider.ts';
import { refuseToRun } from './refuse.ts';
import type { Report, Result } from './report.ts';
import { settingsFor } from './settings.ts';
import { openSite, type Site, testLabel } from './site.ts';
import type { Story } from './stories/story.ts';
import { type Survey, survey } from './survey.ts';
import { takenAway } from './taken-away.ts';
import type { Way } from './ways/way.ts';

export interface Outside {
  kubeConfig: KubeConfig;
  clock: Clock;
  interrupted: AbortSignal;
  report: Report;
  env: Readonly<Record<string, string | undefined>>;
  /** Five characters or so, unlike those of any other run. */
  random: string;
}

/** Tells the stories, and takes everything away again whatever happens. Throws CannotDo, Unavailable, Interrupted. */
export async function conformance(options: Options, outside: Outside): Promise<Result[]> {
  const site = openSite(outside.kubeConfig, outside);
  try {
    if (options.cleanUp) {
      const left = await cleanUp(site);
      if (left.length > 0) throw new CannotDo(`left there: ${left.join(', ')}`);
      outside.report.note('nothing of earlier runs is left');
      return [];
    }
    const found = await survey(site);
    refuseToRun(found, options, site);
    for (const text of foundTexts(found, site, options)) outside.report.note(text);
    return await tellAndCleanUp({ site, options, outside, found });
  } finally {
    await site.close();
  }
}

interface Performance {
  site: Site;
  options: Options;
  outside: Outside;
  found: Survey;
}

async function tellAndCleanUp(performance: Performance): Promise<Result[]> {
  const { options, outside } = performance;
  const run = outside.random;
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-cluster-'));
  const results: Result[] = [];
  try {
    await using closing = new AsyncDisposableStack();
    results.push(...(await perform(performance, { run, folder, closing })));
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (options.keep) outside.report.note(`everything is left there, with the label ${testLabel}=${run}`);
    else results.push(await takenAway(performance.site, run, outside.report));
  }
  return results;
}

interface Place {
  run: string;
  folder: string;
  closing: AsyncDisposableStack;
}

async function perform(performance: Performance, { run, folder, closing }: Place): Promise<Result[]> {
  const { site, options, outside, found } = performance;
  const { report } = outside;
  const name = `phaseout-test-${run}`;
  const namespaceOf = (way: Way, story: Story): string => `${name}-${story.name}-${way.at(0)}`;
  const audit = await openAuditLogs(options.auditLogs);
  const provider = await openProvider(site.clock, name);
  closing.defer(() => provider.close());
  const namespaces = options.ways.flatMap((way) => options.stories.map((story) => namespaceOf(way, story)));
  const isConfined = options.besideMachines;
  const isPeerPlayed = options.beside && found.peer === undefined;
  const environment = { ...provider.environment, ...settingsFor(run, options) };
  const installation = await install(site, {
    name,
    run,
    folder,
    namespaces,
    isConfined,
    isBeside: options.beside,
    environment,
    survey: found,
  });
  await provider.storeToken(site, run);
  const hasControllers = await hasDisruptionController(site, run, name);
  report.note(
    hasControllers
      ? 'kube-controller-manager runs'
      : 'kube-controller-manager does not run: disruption budgets and garbage collection are played here',
  );
  if (installation.definitions.length > 0)
    report.note(`made for the time being: ${installation.definitions.join(', ')}`);
  closing.defer(
    startPlayers(site, {
      run,
      isWithoutControllers: !hasControllers,
      ...(isPeerPlayed && { peerOf: found.capi }),
      complain: (text) => report.note(text),
    }),
  );

  const results: Result[] = [];
  for (const way of options.ways) {
    results.push(
      ...(await tellInOneWay(way, {
        ...performance,
        run,
        environment,
        installation,
        provider,
        namespaceOf,
        audit,
      })),
    );
  }
  return results;
}
