import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { effectOf, judging } from './sight/effect.ts';
import { bootstrapRef, finalizerOf, machineIn } from './sight/machine.ts';
import { machineRead, witnessOf } from './sight/witness.ts';

/** Kubernetes' own, which v1alpha1 adds and which it takes off by itself. */
const foreground = 'foregroundDeletion';

export const finalizersOfOthers: Invariant = {
  name: 'a finalizer of somebody else is never touched',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return {
      before(exchange) {
        const effect = effectOf(exchange, witness);
        const { plan, object, label } = effect ?? {};
        if (plan === undefined || object === undefined) return;
        const { finalizers = [] } = object.metadata;
        const own = [finalizerOf[plan.api], ...(plan.api === 'v1alpha1' ? [foreground] : [])];
        const after = finalizersAfter(exchange.body, finalizers);
        const isOurs = (finalizer: string): boolean => own.includes(finalizer);
        const isOfThisVersion =
          textAt(exchange.body, 'metadata', 'resourceVersion') === object.metadata.resourceVersion ||
          Array.isArray(exchange.body);
        if (!isOfThisVersion) return;
        const others = finalizers.filter((each) => !isOurs(each));
        const left = after.filter((each) => !isOurs(each));
        if (others.join() !== left.join())
          violated(`${label}: ${others.join() || 'none'} become ${left.join() || 'none'}`);
      },
    };
  },
};

/** What a merge patch or a JSON patch makes of them. A JSON patch whose tests fail changes nothing. */
function finalizersAfter(body: unknown, before: readonly string[]): readonly string[] {
  if (!Array.isArray(body)) {
    const written = recordAt(body, 'metadata')['finalizers'];
    return Array.isArray(written) ? written.map(String) : before;
  }
  const operations: readonly unknown[] = body;
  const after = [...before];
  for (const operation of operations) {
    const index = /^\/metadata\/finalizers\/(\d+)$/.exec(textAt(operation, 'path') ?? '')?.[1];
    const op = textAt(operation, 'op');
    if (op === 'test' && index !== undefined && after[Number(index)] !== recordAt(operation)['value'])
      return before;
    if (op === 'remove' && index !== undefined) after.splice(Number(index), 1);
    else if (op !== 'test') return [];
  }
  return after;
}

export const finalizerGoesLast: Invariant = {
  name: 'our finalizer goes last, when all that belongs to the Machine is gone',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['take finalizer'],
      ({ plan, object: machine, actor }) => {
        if (plan === undefined || machine === undefined) return undefined;
        const isLast = witness.wasSoLately(actor, [machineRead(plan)], (view) => {
          const seen = machineIn(view, plan);
          return (
            seen === undefined || seen.metadata.uid !== machine.metadata.uid || missingOn(seen).length === 0
          );
        });
        return isLast ? undefined : `nothing says how these were passed: ${missingOn(machine).join(', ')}`;
      },
      violated,
    );
  },
};

function missingOn(machine: KubeObject): string[] {
  const stand = standOf(machine);
  if (stand?.phase !== 'finalize') return [`all: it stands at ${stand?.phase ?? 'nothing'}`];
  const hasBootstrap = isClusterApi(machine) && textAt(bootstrapRef(machine), 'name') !== undefined;
  return ['infrastructure', ...(hasBootstrap ? ['bootstrap'] : []), 'node'].filter(
    (phase) => !stand.passed.has(phase),
  );
}
