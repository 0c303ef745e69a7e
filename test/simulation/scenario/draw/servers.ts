import { cloudAnnotations } from '../../../../infra/local/provider/settings.ts';
import { probesSeconds, thinksSeconds } from '../../platform/provider-desk.ts';
import type { Random } from '../../random.ts';
import type { MachineBlueprint, ServerBlueprint } from '../blueprint.ts';
import type { Setting, Site } from './draft.ts';

type Drawn = Partial<MachineBlueprint>;
type Known = Pick<MachineBlueprint, 'deletedAt'> & Drawn;

export const newServer: ServerBlueprint = { state: 'not made', hasLeftover: false };

const kinds = {
  openshift: [...Array<'running'>(17).fill('running'), 'gone', 'not made', 'not made'],
  v1alpha1: ['running', 'running', 'running', 'running', 'gone', 'not made', 'new', 'new', 'new', 'new'],
} as const;

/** How it is with the server of a worker, where a provider keeps it: many of them just run. */
export function drawServer({ api }: Site, random: Random, setting: Setting, known: Known): Drawn {
  if (api === 'capi') return {};
  const hasLeftover = random.chance(0.1);
  const state = random.oneOf(kinds[api]);
  if (state === 'new') return { hasNodeRef: false, ...drawNew(random, setting, known, hasLeftover) };
  const server = { state, hasLeftover };
  if (state === 'not made') {
    const failing = api === 'openshift' ? ['delete=InvalidConfiguration'] : failures;
    return { server, hasNodeRef: false, ...annotated(known, drawFailures(random, failing)) };
  }
  const isPlain = state === 'running' && !hasLeftover;
  const failing = random.chance(0.4) ? drawFailures(random, failuresAtTheEnd) : {};
  return { ...(isPlain ? {} : { server }), ...annotated(known, failing) };
}

/**
 * A user changes a Machine. For a while each report of its server differs. Or the provider asks for time, and the
 * status of the Machine changes meanwhile.
 */
export function stirred(random: Random, machine: MachineBlueprint): MachineBlueprint {
  if (machine.api !== 'v1alpha1' || !random.chance(0.6)) return machine;
  const labelledAt = random.between(0, 4_000);
  const asks = { [cloudAnnotations.providerFails]: 'exists=retry/20:2' };
  const kind = random.oneOf([{ [probesSeconds]: '30' }, asks]);
  return { ...machine, annotations: { ...kind, ...machine.annotations }, labelledAt };
}

const annotated = ({ annotations }: Known, more: Record<string, string>): Drawn => ({
  annotations: { ...annotations, ...more },
});

/** What the provider does not do at once. */
const failures = [
  'exists=failed:1',
  'exists=retry/2:1',
  'exists=500:1',
  'create=CreateError:1',
  'create=retry/1:1',
  'create=500:1',
];

const failuresAtTheEnd = [
  'delete=failed:1',
  'delete=DeleteError:2',
  'delete=InvalidConfiguration:1',
  'delete=retry/1:1',
  'delete=500:1',
];

/** Of an OpenShift Machine with a mistake in it. It never got a server, and its provider reports that for ever. */
const drawFailures = (random: Random, failing: readonly string[]): Record<string, string> =>
  random.chance(0.5) ? { [cloudAnnotations.providerFails]: random.oneOf(failing) } : {};

/** Made by a user while phaseout runs; some are deleted before their servers are made, or just then. */
function drawNew(random: Random, setting: Setting, known: Known, hasLeftover: boolean): Drawn {
  const madeAt = random.between(0, 3_000);
  const thinking = random.chance(0.6) ? random.oneOf([1, 5, 15, 15]) : 0;
  const first = Math.min(madeAt + soon(random, setting, thinking), setting.latest - 1);
  const [at = 0] = known.deletedAt;
  return {
    server: { ...newServer, hasLeftover, madeAt },
    deletedAt: known.deletedAt.map((each) => each - at + first),
    ...annotated(known, {
      ...drawFailures(random, failures),
      ...(thinking > 0 && { [thinksSeconds]: String(thinking) }),
    }),
  };
}

/** From being made to being deleted. It is made known, held on to, asked about and read again in some ten steps. */
function soon(random: Random, { latencyMilliseconds }: Setting, thinking: number): number {
  const most = random.oneOf([10 * latencyMilliseconds, 10 * latencyMilliseconds, 8_000]);
  return random.between(0, most) + random.between(0, thinking * 300);
}
