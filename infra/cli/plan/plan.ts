import { servedMachineApis } from '../../host/served-machine-apis.ts';
import { tellBeside } from '../../terminal/beside.ts';
import { asData } from '../../terminal/output.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { printable } from '../../terminal/words.ts';
import { findMachine, labelOf } from '../fleet.ts';
import { assessMachine } from '../look/assess-machine.ts';
import { inContext } from '../look/in-context.ts';
import { whyNoKubeconfig } from '../look/kubeconfig.ts';
import { openLooker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';
import { withNotes } from '../look/with-notes.ts';
import { type PlanAsked, readPlanOptions } from './options.ts';
import { reportLines } from './report.ts';

/** `phaseout plan`. Resolves with the exit code; throws what main knows how to say. */
export async function plan(args: readonly string[], outside: Outside): Promise<number> {
  const asked = readPlanOptions(args);
  const why = await whyExample(asked.source, outside);
  if (why === undefined) return tellPlan(asked, [], outside);
  const note = `the example fleet, as there is ${why}`;
  try {
    return await tellPlan({ ...asked, source: { kind: 'example', name: 'capi' } }, [note], outside);
  } catch (error) {
    if (error instanceof CannotDo) throw new CannotDo(`${error.message}\nThis is ${note}`);
    throw error;
  }
}

/** The example stands in only where nothing is said and nothing is there. kubectl has been asked about a cluster. */
async function whyExample(source: LookSource, outside: Outside): Promise<string | undefined> {
  if (source.kind !== 'cluster' || outside.isPlugin === true) return undefined;
  const isSaid = [source.kubeconfig, source.context, source.workload].some((each) => each !== undefined);
  return isSaid ? undefined : whyNoKubeconfig(outside);
}

async function tellPlan(asked: PlanAsked, first: readonly string[], outside: Outside): Promise<number> {
  if (asked.kind === 'one') return planOne(asked, first, outside);
  // A plan of one needs none of what judges many.
  const { planMany } = await import('./many/many.ts');
  return planMany(asked, first, outside);
}

async function planOne(
  asked: PlanAsked & { kind: 'one' },
  first: readonly string[],
  outside: Outside,
): Promise<number> {
  const { source, form, hasExitCode } = asked;
  const machine = await inContext(asked, outside);
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, machine, goesOnWithout: 'forbidden' }, outside, closing);
  const { environment, url, notes, unread } = looker;
  const { management, dialects } = environment;
  const machineApis = await servedMachineApis(management, url, dialects);
  const fleet = { kubernetes: management, machineApis, isGiven: source.kind === 'manifests' };
  const target = await withNotes(findMachine(fleet, machine), notes);
  const { api, namespace, name } = target;
  const raw = await management.get(api.resource, { namespace, name });
  const found = raw && (await assessMachine(looker, raw));
  const label = labelOf(fleet, target);
  if (found === undefined) throw new CannotDo(`Machine ${label} went while it was looked at`);
  const { plan: planned } = found;
  const data = asData(form, () => ({ ...planned, notes: [...first, ...notes], unread: unread() }));
  if (data === undefined) tellBeside({ notes, unread: unread() }, outside);
  const lines = (): string[] => [
    ...first.map(asSentence),
    ...reportLines(planned, label, paintFor(outside.stdout, outside)),
  ];
  outside.stdout.write(data ?? `${lines().join('\n')}\n`);
  if (!hasExitCode) return 0;
  const { exitCodeOfOne } = await import('./many/exit-code.ts');
  return exitCodeOfOne(found, { looker, source });
}

const asSentence = (note: string): string => `This is ${printable(note)}`;
