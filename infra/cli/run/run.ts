import type { Clock } from '../../../shared/time/clock.ts';
import type { SeenMachines } from '../../local/platform/seen-machines.ts';
import { isAttended, type Outside, untilInterrupted } from '../../terminal/outside.ts';
import type { OwnHeap } from '../../terminal/own-heap.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { type RunOptions, readRunOptions } from '../options.ts';
import { openLocalPage } from '../page/local-page.ts';
import { comparedWithPeer, mustHaveBeside } from './beside.ts';
import { boardReporter } from './board.ts';
import { chooseTargets } from './choose-targets.ts';
import { Following } from './follow.ts';
import { clusterInvitation, kubectlInvitation } from './invitation.ts';
import { jsonReporter } from './json.ts';
import { writeKubeconfigFile } from './kubeconfig-file.ts';
import { lineReporter } from './lines.ts';
import { Others } from './others.ts';
import type { Reporter } from './reporter.ts';
import { openStage, type Stage } from './stage.ts';
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
  // Errors during the shutdown are expected: do not report them.
  const complain = (text: string): void => (closing.disposed ? undefined : reporter.complain(text));
  try {
    const stage = await openStage({ ...options, onFact: following.tell, complain }, outside);
    closing.defer(() => stage.host.close());
    if (options.source.kind === 'cluster' && outside.heap !== undefined)
      closing.defer(holdLittle(outside.heap, stage.host.machines, outside.clock));
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
  host.machines.mustBeListed();
  mustHaveBeside(host, options.mode);
  const page = await openLocalPage(stage, outside, closing);
  const others = new Others(host, (other) => reporter.other(other));
  following.begin(
    {
      subject,
      url,
      notes,
      ...(page !== undefined && { page }),
      startedAt: outside.clock.now(),
      requests: () => host.requests(),
      others: () => others.list(),
    },
    host,
  );
  // Interrupted before the start: delete nothing.
  if (outside.interrupted.aborted) return 130;
  const isServing = options.serve || (options.source.kind === 'cluster' && options.targets === undefined);
  if (isServing) await invite(performance);
  const targets = await chooseTargets({ options, fleet: host, following, outside, isServing });
  const outcome = await untilSettled(targets, following, {
    ...outside,
    timeoutSeconds: options.timeoutSeconds,
  });
  if (targets.length > 0) reporter.end(following.left(targets));
  if (outcome.kind === 'gone' && stage.hasPeer)
    reporter.compared(await comparedWithPeer(host, options.source, targets, outside));
  if (outcome.kind === 'late') throw new CannotDo(outcome.message);
  if (outcome.kind === 'interrupted' && !isServing) return 130;
  if (isServing) await untilInterrupted(outside.interrupted);
  else if (page !== undefined) await keep(page, performance);
  return 0;
}

/** A newcomer has had no time to look at the page of the example. A script goes on. */
async function keep(page: string, { options, outside, reporter }: Performance): Promise<void> {
  const { source, json } = options;
  if (source.kind !== 'example' || json || !isAttended(outside)) return;
  reporter.kept(page);
  await untilInterrupted(outside.interrupted);
}

async function invite({ stage, outside, reporter, closing }: Performance): Promise<void> {
  if (stage.kubeconfig === undefined) return reporter.serving(clusterInvitation(stage.host, outside));
  const file = await writeKubeconfigFile(outside.folder, stage.kubeconfig);
  closing.defer(() => file.remove());
  reporter.serving(await kubectlInvitation(stage.host, file, outside));
}

function reporterFor(options: RunOptions, outside: Outside): Reporter {
  if (options.json) return jsonReporter(outside);
  const isTerminal = outside.stdout.isTTY === true && outside.env['TERM'] !== 'dumb';
  return isTerminal ? boardReporter(outside, options) : lineReporter(outside, options);
}

/** When no Machine has ended for so long, a fleet is through. */
const calmMilliseconds = 5_000;

/**
 * Who runs beside others for days takes little memory while many Machines are deleted, and gives it back after them. Returns
 * the way to stop.
 */
export function holdLittle(heap: OwnHeap, machines: Pick<SeenMachines, 'listen'>, clock: Clock): () => void {
  let stop: (() => void) | undefined;
  heap.keepSmall();
  machines.listen({
    seen: ({ isDeleting }) => isDeleting && heap.makeRoom(),
    gone() {
      stop?.();
      stop = clock.after(calmMilliseconds, () => heap.giveBack());
    },
  });
  return () => stop?.();
}
