import { forEachLimited } from '../../../shared/async/parallel.ts';
import { hasHook, listOf } from '../../../shared/dialects/beside/hook.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { HookedApi } from '../../hook/hooked-apis.ts';
import { deletionHooksOf } from '../../hook/list-hooks.ts';
import { unaskedOn } from '../../hook/unasked.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted, printable } from '../../terminal/words.ts';

/** A Machine, and the API that it is of. */
export interface Found {
  machine: KubeObject;
  api: HookedApi;
}

/** What is passed over with one Machine, for people. */
interface PassedOver {
  line: string;
}

/** The Machines whose functions would not be asked any more. One list for each of their namespaces. Throws Unavailable. */
export async function passedOver(
  kubernetes: Pick<Kubernetes, 'discover' | 'list'>,
  all: readonly Found[],
  labelOf: (found: Found) => string,
): Promise<PassedOver[]> {
  const held = all.filter(isHeld);
  const namespaces = [...new Set(held.map(({ machine }) => machine.metadata.namespace ?? ''))];
  const lists = new Map<string, KubeObject[]>();
  await forEachLimited(namespaces, async (namespace) => {
    lists.set(namespace, await deletionHooksOf(kubernetes, { namespace }));
  });
  return held.flatMap((found) => {
    const { machine, api } = found;
    const names = unaskedOn(machine, api, lists.get(machine.metadata.namespace ?? '') ?? []).map(
      ({ name }) => name,
    );
    if (names.length === 0) return [];
    const line = `Machine ${labelOf(found)} goes without an answer for DeletionHook ${names.join(', ')}`;
    return [{ line: printable(line) }];
  });
}

/** It is being deleted, and waits for a hook of ours. */
const isHeld = ({ machine, api: { hooks } }: Found): boolean =>
  machine.metadata.deletionTimestamp !== undefined && listOf(hooks).some((hook) => hasHook(machine, hook));

/** Throws CannotDo with what would be passed over. */
export function refusePassedOver(passed: readonly PassedOver[]): void {
  if (passed.length === 0) return;
  const who = counted(passed.length, 'Machine');
  const lines = passed.map(({ line }) => `  ${line}`);
  throw new CannotDo(
    [`functions are to be asked for ${who} before (--yes releases them all the same):`, ...lines].join('\n'),
  );
}
