import { CannotDo } from '../../infra/terminal/usage-error.ts';
import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Clock } from '../../shared/time/clock.ts';
import { cleanUp } from '../cluster/clean-up.ts';
import { startPlayers } from '../cluster/play/players.ts';
import type { Report, Result } from '../cluster/report.ts';
import { openSite, type Site } from '../cluster/site.ts';
import { survey } from '../cluster/survey.ts';
import { takenAway } from '../cluster/taken-away.ts';
import { Interrupted } from '../cluster/until.ts';
import { foundTexts } from './found.ts';
import { hasKubectl } from './kubectl.ts';
import type { Options } from './options.ts';
import { prepare } from './prepare.ts';
import { refuseToPlay } from './refuse.ts';
import { expectEnd, Stage } from './stage.ts';
import type { Step } from './step.ts';
import { offerVolumes } from './volumes.ts';

export interface Outside {
  kubeconfig: string;
  kubeConfig: KubeConfig;
  clock: Clock;
  interrupted: AbortSignal;
  report: Report;
  /** Five characters or so, unlike those of any other run. */
  random: string;
}

/** Plays the steps, and takes everything away again whatever happens. Throws CannotDo, Unavailable, Interrupted. */
export async function playAll(options: Options, outside: Outside): Promise<Result[]> {
  const site = openSite(outside.kubeConfig, outside);
  try {
    if (!options.cleanUp) return await playAndCleanUp(site, options, outside);
    const left = await cleanUp(site);
    if (left.length > 0) throw new CannotDo(`left there: ${left.join(', ')}`);
    outside.report.note('nothing of earlier runs is left; phaseout itself goes with phaseout remove');
    return [];
  } finally {
    await site.close();
  }
}

async function playAndCleanUp(site: Site, options: Options, outside: Outside): Promise<Result[]> {
  const { report, random: run } = outside;
  const found = await survey(site);
  await refuseToPlay(site, found, options);
  const kubectl = await hasKubectl();
  for (const text of await foundTexts(site, found, { options, hasKubectl: kubectl })) report.note(text);
  const results: Result[] = [];
  const complain = (text: string): void => report.note(text);
  try {
    const installation = await prepare(site, run, found);
    const stopPlaying = startPlayers(site, { run, isWithoutControllers: false, complain });
    try {
      const stage = new Stage({
        site,
        run,
        kubeconfig: outside.kubeconfig,
        context: options.context,
        image: options.image ?? '',
        nextImage: options.nextImage,
        storeArguments: options.set.length === 0 ? ['--dynamodb-local'] : ['--set', ...options.set],
        mode: found.peer === undefined ? 'replace' : 'beside',
        hasKubectl: kubectl,
        installation,
        timeoutSeconds: options.timeoutSeconds,
        note: (text) => report.note(`     ${text}`),
      });
      if (options.reinstall) expectEnd(await stage.phaseout('remove', '--with-data'), 0);
      results.push(...(await playSteps(stage, options.steps, report)));
    } finally {
      await stopPlaying();
    }
  } finally {
    results.push(await takenAway(site, run, report));
  }
  return results;
}

/** Without an installation nothing that follows means anything. */
async function playSteps(stage: Stage, steps: readonly Step[], report: Report): Promise<Result[]> {
  const results: Result[] = [];
  let isInstalled = true;
  for (const step of steps) {
    for (const name of await offerVolumes(stage.site)) stage.note(`the volume ${name} is offered again`);
    const result = await playOne(stage, step, isInstalled);
    results.push(result);
    report.result(result);
    if (step.name === 'deploy') isInstalled = result.outcome.kind === 'passed';
  }
  return results;
}

async function playOne(stage: Stage, step: Step, isInstalled: boolean): Promise<Result> {
  const { clock } = stage.site;
  const startedAt = clock.now();
  const resultOf = (outcome: Result['outcome']): Result => ({
    story: step.name,
    way: '',
    outcome,
    seconds: (clock.now() - startedAt) / 1_000,
  });
  const why = isInstalled || step.name === 'remove' ? step.notHere?.(stage) : 'phaseout is not installed';
  if (why !== undefined) return resultOf({ kind: 'not run', why });
  try {
    await step.play(stage);
    return resultOf({ kind: 'passed' });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return resultOf({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
  }
}
