import { KeptHooks } from '../../hook/kept-hooks.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { Outside } from '../../terminal/outside.ts';
import { brief } from '../history/way.ts';
import { waysTo } from '../history/ways.ts';
import { listDeleting } from '../look/list-deleting.ts';
import { openLooker } from '../look/looker.ts';
import { mustHaveNamespace } from '../namespaces.ts';
import { openNextLooks } from './next-looks.ts';
import { readStatusOptions } from './options.ts';
import { told } from './told.ts';
import { watchStatus } from './watch.ts';
import { write } from './write.ts';

/** `phaseout status`. Resolves with the exit code; throws what main knows how to say. */
export async function status(args: readonly string[], outside: Outside): Promise<number> {
  const { source, namespace, watch, form, store, by, sort } = readStatusOptions(args);
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, goesOnWithout: 'forbidden' }, outside, closing);
  const kubernetes = looker.environment.management;
  const machineApis = await servedMachineApis(kubernetes, looker.url);
  const fleet = { kubernetes, machineApis, isGiven: source.kind === 'manifests' };
  const selection = namespace === undefined ? {} : { namespace };
  const ways = store === undefined ? [] : waysTo(store, outside, brief);
  const looks = await openNextLooks(ways, outside.clock, closing);
  const hooks = new KeptHooks({ kubernetes, selection, clock: outside.clock });
  const telling = { fleet, looker, source, form, outside, looks, hooks, by, sort };
  if (watch) {
    if (namespace !== undefined) await mustHaveNamespace(fleet, namespace);
    looker.forgetUnread();
    return await watchStatus({ ...telling, selection });
  }
  const machines = await listDeleting(fleet, selection);
  await hooks.refresh(machines);
  const answer = told(machines, telling);
  // Behind the answer: that a namespace may not be read is no news where its Machines may.
  if (machines.length === 0 && namespace !== undefined) await mustHaveNamespace(fleet, namespace);
  write(answer, outside);
  return 0;
}
