import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { isClusterApi, isOpenShift, isOriginal } from '../../stories/stage/apis.ts';
import { management } from '../platform/clusters.ts';
import type { Invariant } from './invariant.ts';
import { rememberAbsences } from './sight/absences.ts';
import type { Actor, Read } from './sight/actor.ts';
import { judgingPassed } from './sight/judging.ts';
import { bootstrapRef, infrastructureRef, placeReferred, referredBy } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

export const objectsAreGone: Invariant = {
  name: 'infrastructure and bootstrap are passed as done only when they are gone',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const accepted = new Set<string>();
    const forgiven = new Set<string>();
    const told = rememberAbsences();
    const isGone = (actor: Actor, machine: KubeObject, reference: Reference): boolean =>
      placeReferred(machine, reference).name === '' ||
      (told.isAbsent(actor.instance, placeReferred(machine, reference)) &&
        wasGone(witness, actor, machine, reference));
    const judge = judgingPassed(
      witness,
      ({ newlyPassed, machine }, { actor }) => {
        const { uid = '' } = machine.metadata;
        if (newlyPassed.get('bootstrap') === 'done' && !isGone(actor, machine, bootstrapRef(machine)))
          return 'its bootstrap object is there';
        if (newlyPassed.get('infrastructure') !== 'done') return undefined;
        if (isClusterApi(machine))
          return isGone(actor, machine, infrastructureRef(machine))
            ? undefined
            : 'its infrastructure object is there';
        if (isOriginal(machine) && !accepted.has(uid))
          return 'the provider has not accepted the end of its server';
        const isThere = world.cloud.servers().some((server) => server.machine.uid === uid);
        return isOpenShift(machine) && isThere && !forgiven.has(uid) ? 'its server is there' : undefined;
      },
      violated,
    );
    return {
      ...judge,
      after(exchange, answer) {
        judge.after?.(exchange, answer);
        told.note(exchange, answer);
      },
      heard: (exchange) => told.hear(exchange),
      provider({ operation, machine }, answer) {
        const { uid = '' } = machine.metadata;
        if (operation === 'delete' && answer?.kind === 'accepted') accepted.add(uid);
        if (operation === 'exists' && answer?.kind === 'absent') forgiven.add(uid);
      },
    };
  },
};

type Reference = Readonly<Record<string, unknown>>;

function wasGone(witness: Witness, actor: Actor, machine: KubeObject, reference: Reference): boolean {
  const what: Read = { host: management, ...placeReferred(machine, reference) };
  return witness.wasSoLately(actor, [what], (view) => referredBy(view, machine, reference) === undefined);
}
