import { type MachineName, readRunOptions, type RunOptions } from '../options.ts';
import type { Outside } from '../outside.ts';
import { CannotDo, UsageError } from '../usage-error.ts';
import { boardReporter } from './board.ts';
import { Following } from './follow.ts';
import { clusterInvitation, kubectlInvitation } from './invitation.ts';
import { jsonReporter } from './json.ts';
import { writeKubeconfigFile } from './kubeconfig-file.ts';
import { lineReporter } from './lines.ts';
import { Others } from './others.ts';
import type { Reporter } from './reporter.ts';
import { openStage, type Stage } from './stage.ts';
import {
  deleteMachines,
  deletingMachines,
  machineNames,
  machineResourceOf,
  targetOf,
  type Target,
} from '../targets.ts';
import { untilSettled } from './until-settled.ts';

/** `phaseout run`. Resolves with the exit code; throws what main knows how to say. */
export async function run(args: readonly string[], outside: Outside): Promise<number> {
  const options = readRunOptions(args);
  const closing = new AsyncDisposableStack();
  const ending = new AbortController();
  const reporter = reporterFor(options, outside);
  closing.defer(() => reporter.close());
  closing.defer(() => ending.abort());
  const following = new Following(
    reporter,
    outside.clock,
    AbortSignal.any([ending.signal, outside.interrupted]),
  );
  // What breaks because all is being closed is no news.
  const complain = (text: string): void => (closing.disposed ? undefined : reporter.complain(text));
  try {
    const { source } = options;
    const stage = await openStage({ source, onFact: following.tell, complain }, outside);
    closing.defer(() => stage.host.close());
    return await perform({ options, outside, stage, reporter, following, closing });
  } finally {
    await closing.disposeAsync();
  }
}

interface Performance {
  options: RunOptions;
  outside: Outside;
  stage: Stage;
  reporter: Reporter;
  following: Following;
  closing: AsyncDisposableStack;
}

async function perform(performance: Performance): Promise<number> {
  const { options, outside, stage, reporter, following, closing } = performance;
  const { host, subject, url, notes } = stage;
  const others = new Others(host.kubernetes, machineResourceOf(host.machineApiVersion));
  closing.defer(() => others.close());
  await others.begin();
  following.begin(
    {
      subject,
      url,
      notes,
      startedAt: outside.clock.now(),
      requests: () => host.requests(),
      others: () => others.list(),
    },
    host,
  );
  // Whoever ends it before it has begun does not want anything to be deleted any more.
  if (outside.interrupted.aborted) return 130;
  const isServing = options.serve || (options.source.kind === 'cluster' && options.targets === undefined);
  if (isServing) await invite(performance);
  const targets = await chooseTargets(performance, isServing);
  const outcome = await untilSettled(targets, following, {
    ...outside,
    timeoutSeconds: options.timeoutSeconds,
  });
  if (targets.length > 0) reporter.end(following.left(targets));
  if (outcome.kind === 'late') throw new CannotDo(outcome.message);
  if (!isServing) return outcome.kind === 'interrupted' ? 130 : 0;
  await untilInterrupted(outside.interrupted);
  return 0;
}

async function invite({ stage, outside, reporter, closing }: Performance): Promise<void> {
  if (stage.kubeconfig === undefined) return reporter.serving(clusterInvitation);
  const file = await writeKubeconfigFile(outside.folder, stage.kubeconfig);
  closing.defer(() => file.remove());
  const { kubernetes, machineApiVersion } = stage.host;
  const machines = await machineNames(kubernetes, machineResourceOf(machineApiVersion));
  reporter.serving(kubectlInvitation(file.path, machines.at(-1) ?? { namespace: 'NAMESPACE', name: 'NAME' }));
}

/** Deletes what is to be deleted; Machines of a dump may have been asked to go before. */
async function chooseTargets(
  { options, outside, stage, following }: Performance,
  isServing: boolean,
): Promise<Target[]> {
  const { kubernetes, machineApiVersion } = stage.host;
  const resource = machineResourceOf(machineApiVersion);
  const remove = (names: readonly MachineName[]): Promise<Target[]> =>
    deleteMachines(kubernetes, resource, { names, clock: outside.clock });
  if (options.targets !== undefined) return remove(options.targets);
  if (isServing) return [];
  if (options.source.kind === 'example') {
    return remove([{ namespace: 'fleet', name: 'worker-1' }]);
  }
  const deleting = await deletingMachines(kubernetes, resource);
  for (const machine of deleting) following.resume(machine);
  if (deleting.length > 0) return deleting.map(targetOf);
  const names = (await machineNames(kubernetes, resource)).map(
    ({ namespace, name }) => `${namespace}/${name}`,
  );
  throw new UsageError(
    `no Machine is being deleted; choose with --delete NAMESPACE/NAME from: ${names.join(', ') || 'none'}`,
  );
}

function reporterFor({ json }: RunOptions, outside: Outside): Reporter {
  if (json) return jsonReporter(outside);
  const isTerminal = outside.stdout.isTTY === true && outside.env['TERM'] !== 'dumb';
  return isTerminal ? boardReporter(outside) : lineReporter(outside);
}

function untilInterrupted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
