import type { Advance } from '../announcement.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import { checkpointAnnotation, parseCheckpoint } from '../machine/checkpoint.ts';
import { nextLeg } from '../machine/itinerary.ts';
import { isDeleting, type Machine, type MachineRef } from '../machine/machine.ts';
import { dialectOf, isOurs, machineResource } from './find-machine.ts';
import type { Environment } from './environment.ts';

const mostTries = 3;

/** The command that looks at a deleting Machine, as far as its own text tells where it stands. */
function commandFor(machine: Machine, dialect: Dialect): Advance {
  const reading = parseCheckpoint(machine.annotations[checkpointAnnotation], machine.ref.uid);
  const { resourceVersion, ref } = machine;
  if (reading.kind === 'valid') {
    return { machine: ref, phase: reading.checkpoint.phase, seq: reading.checkpoint.seq, resourceVersion };
  }
  const leg = nextLeg(machine, dialect, { allowed: true }, undefined);
  return { machine: ref, phase: leg.phase, seq: 0, resourceVersion };
}

/**
 * What a Machine that was heard of needs: our finalizer while it lives, a look while it is being deleted,
 * otherwise nothing.
 */
export async function takeIn(env: Environment, raw: KubeObject): Promise<Advance | undefined> {
  const dialect = dialectOf(env, refOf(raw));
  const machine = dialect.read(raw);
  if (!isOurs(env, machine, dialect)) return undefined;
  if (isDeleting(machine)) {
    return machine.finalizers.includes(dialect.finalizer) ? commandFor(machine, dialect) : undefined;
  }
  if (!machine.finalizers.includes(dialect.finalizer)) await addFinalizer(env, machine, dialect);
  return undefined;
}

function refOf(raw: KubeObject): MachineRef {
  const { namespace = '', name, uid = '' } = raw.metadata;
  return { apiVersion: raw.apiVersion ?? '', namespace, name, uid };
}

/** Added only to a Machine that is not being deleted; others add theirs at the same time, so a conflict is normal. */
async function addFinalizer(env: Environment, heardOf: Machine, dialect: Dialect): Promise<void> {
  const { namespace, name, uid } = heardOf.ref;
  const resource = machineResource(dialect, heardOf.ref);
  let machine = heardOf;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const metadata = {
      resourceVersion: machine.resourceVersion,
      uid,
      finalizers: [...machine.finalizers, dialect.finalizer],
    };
    const outcome = await env.management.mergePatch(resource, { namespace, name }, { metadata });
    if (outcome.kind === 'written' || outcome.kind === 'gone') return;
    if (outcome.kind === 'refused')
      throw new CouldNotLook(`the finalizer could not be added: ${outcome.message}`);
    const raw = await env.management.get(resource, { namespace, name });
    if (raw === undefined || raw.metadata.uid !== uid) return;
    machine = dialect.read(raw);
    if (isDeleting(machine) || machine.finalizers.includes(dialect.finalizer)) return;
  }
  throw new CouldNotLook(`Machine ${namespace}/${name} kept changing while its finalizer was to be added`);
}
