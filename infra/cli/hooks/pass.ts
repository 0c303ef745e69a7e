import {
  type Asked,
  askedOn,
  hooksAnnotation,
  isPending,
  serializeAsked,
  withPassed,
} from '../../../shared/hooks/asked.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { ToldOptions } from '../../terminal/option.ts';
import type { Outside } from '../../terminal/outside.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import { CannotDo, UsageError } from '../../terminal/usage-error.ts';
import { printable } from '../../terminal/words.ts';
import { openSite, siteOptions } from '../deploy/connect-site.ts';
import { findMachine, labelOf, type Target } from '../fleet.ts';
import { ownKubeconfig, readKubeconfig } from '../look/kubeconfig.ts';
import { parseMachineName } from '../machine-name.ts';
import { namespaceOf } from '../source.ts';

const { kubeconfig, context } = siteOptions;

/** Options of `phaseout hooks pass`. */
export const passOptions = {
  because: {
    type: 'string',
    value: 'TEXT',
    group: 'phaseout hooks pass:',
    meaning: 'why, for the history of the Machine',
  },
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    meaning: 'of a Machine that is named by NAME alone',
  },
  kubeconfig,
  context,
} as const satisfies ToldOptions;

/** Others may write the Machine meanwhile. */
const maxTries = 5;

/** `phaseout hooks pass`: lets a Machine go on without a function. Throws UsageError and CannotDo. */
export async function passHook(args: readonly string[], outside: Outside): Promise<number> {
  const { values, rest } = parseArguments(args, passOptions);
  const [text, hook, more] = rest;
  if (text === undefined || hook === undefined || more !== undefined)
    throw new UsageError('hooks pass needs the NAMESPACE/NAME of a Machine, and the name of a DeletionHook');
  const why = values.because?.trim() ?? '';
  if (why === '') throw new UsageError('hooks pass needs --because: why the Machine may go on without it');
  const named = parseMachineName(text, namespaceOf(values));
  await using site = openSite(values, { service: 'phaseout', tell: () => undefined }, outside);
  const { kubernetes } = site;
  const machineApis = await servedMachineApis(kubernetes, site.where);
  const target = await findMachine({ kubernetes, machineApis, isGiven: false }, named);
  const label = labelOf({ machineApis }, target);
  await pass(kubernetes, { target, label, hook, by: userIn(values, outside), why: printable(why) }, outside);
  outside.stdout.write(`Machine ${label} no longer waits for DeletionHook ${hook}\n`);
  return 0;
}

interface Passing {
  target: Target;
  label: string;
  hook: string;
  by: string;
  why: string;
}

/** Writes that down on the Machine, as it was seen. The next step of the deletion records it. */
async function pass(
  kubernetes: Pick<Kubernetes, 'get' | 'mergePatch'>,
  { target, label, hook, by, why }: Passing,
  { clock }: Pick<Outside, 'clock'>,
): Promise<void> {
  const { api, namespace, name } = target;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const raw = await kubernetes.get(api.resource, { namespace, name });
    if (raw === undefined) throw new CannotDo(`Machine ${label} is gone`);
    const machine = api.dialect.read(raw);
    const asked = askedOn(machine);
    const at = new Date(clock.now()).toISOString();
    const passed = withPassed(asked, hook, { by, why, at });
    if (passed === undefined) throw new CannotDo(notWaited(label, hook, asked));
    const { uid } = machine.ref;
    const annotations = { [hooksAnnotation]: serializeAsked(uid, passed) };
    const metadata = { resourceVersion: machine.resourceVersion, uid, annotations };
    const outcome = await kubernetes.mergePatch(api.resource, { namespace, name }, { metadata });
    if (outcome.kind === 'written') return;
    if (outcome.kind === 'gone') throw new CannotDo(`Machine ${label} is gone`);
    if (outcome.kind === 'refused')
      throw new CannotDo(`Machine ${label} could not be changed: ${printable(outcome.message)}`);
  }
  throw new CannotDo(`Machine ${label} kept changing meanwhile: try again`);
}

function notWaited(label: string, hook: string, asked: readonly Asked[]): string {
  const waited = asked.filter(isPending).map(({ name }) => name);
  const others = waited.length === 0 ? 'none' : waited.join(', ');
  return `Machine ${label} does not wait for DeletionHook ${printable(hook)} (it waits for ${others}): a hook is passed once the Machine has come to its place`;
}

/** As the kubeconfig names the user; the audit log of the API server says who it really was. */
function userIn(values: { kubeconfig?: string; context?: string }, outside: Outside): string {
  const file = values.kubeconfig || ownKubeconfig(outside);
  const kubeConfig = readKubeconfig({ kind: 'cluster', kubeconfig: file, context: values.context });
  return printable(kubeConfig.getCurrentUser()?.name ?? 'an unnamed user');
}
