import { checkpointAnnotation } from '../../../../shared/machine/checkpoint.ts';
import type { Fault, FaultSetting } from '../fault.ts';
import { atMoments } from '../moments.ts';

/** A later version says by `v` that it writes something else; the earliest did not write down the Node. */
const versions: readonly ((checkpoint: Record<string, unknown>) => Record<string, unknown>)[] = [
  (checkpoint) => ({ ...checkpoint, v: 2 }),
  ({ uid, phase, ...rest }) => ({ v: 2, machine: uid, stage: { name: phase, ...rest } }),
  ({ node: _node, ...checkpoint }) => checkpoint,
];

/** While instances are replaced, one of the other version may have written last. */
export const checkpointOfAnotherVersion: Fault = {
  name: 'checkpoint-of-another-version',
  about: 'A checkpoint stands on a Machine as a later or an earlier version writes it.',
  strike(setting) {
    atMoments(setting, 4, () => rewriteOne(setting));
    return undefined;
  },
};

function rewriteOne({ world, scenario, random }: FaultSetting): void {
  const found = scenario.machines.flatMap(({ resource, namespace, name }) => {
    const machine = world.management.get(resource, namespace, name);
    const text = machine?.metadata.annotations?.[checkpointAnnotation];
    return machine === undefined || text === undefined ? [] : [{ resource, machine, text }];
  });
  if (found.length === 0) return;
  const { resource, machine, text } = random.oneOf(found);
  const checkpoint: unknown = parsed(text);
  if (typeof checkpoint !== 'object' || checkpoint === null) return;
  const rewritten = JSON.stringify(random.oneOf(versions)({ ...checkpoint }));
  world.management.patch(resource, machine, {
    metadata: { annotations: { [checkpointAnnotation]: rewritten } },
  });
  world.say('another version', `writes the checkpoint of ${machine.metadata.name}: ${rewritten}`);
  world.hit('checkpoint-of-another-version');
}

/** Somebody may have corrupted it before. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
