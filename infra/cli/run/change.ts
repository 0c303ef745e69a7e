import type { EventOf, FactEvent } from '../../../events/types.ts';
import { type Phase, reasonsOf } from '../../../shared/machine/phase.ts';
import { cut } from '../../../shared/text/truncate.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import { compact } from '../../local/kubernetes/server/json.ts';
import { printable } from '../../terminal/words.ts';

/** One thing that happened to a Machine, as it is shown. */
export type Change = { time: Instant; machine: string; phase: Phase } & (
  | { event: 'deleting' }
  | { event: 'phase'; from: Phase; as: string; message: string }
  | { event: 'waits'; reason: string; message: string }
  | { event: 'evicted'; pod: string }
  | { event: 'refused'; pod: string; cause: string; message: string; budget?: string; explanation?: string }
  | { event: 'unblocked'; pod: string; action: string; policy: string; message: string }
  | { event: 'failed'; reason: string; message: string }
  | { event: 'released' }
  | { event: 'hook'; hook: string; as: string; message: string }
);

/** A fact in the words of this command; `machine` is how the Machine is shown. */
export function toChange(fact: FactEvent, machine: string): Change {
  const about = { time: Date.parse(fact.time ?? ''), machine, phase: fact.data.phase };
  switch (fact.type) {
    case 'dev.phaseout.deletion.started.v1':
      return { ...about, event: 'deleting' };
    case 'dev.phaseout.deletion.advanced.v1':
      return { ...about, event: 'phase', from: fact.data.from, as: fact.data.as, message: fact.data.message };
    case 'dev.phaseout.deletion.blocked.v1':
      return { ...about, event: 'waits', reason: fact.data.reason, message: fact.data.message };
    case 'dev.phaseout.deletion.failed.v1':
      return { ...about, event: 'failed', reason: fact.data.reason, message: fact.data.error };
    case 'dev.phaseout.hook.waiting.v1':
      return { ...about, event: 'waits', ...hookWait(fact.data) };
    case 'dev.phaseout.hook.late.v1':
      return { ...about, event: 'waits', reason: 'HookLate', message: fact.data.message };
    case 'dev.phaseout.hook.ended.v1': {
      const { hook, as, message } = fact.data;
      return { ...about, event: 'hook', hook, as, message };
    }
    case 'dev.phaseout.pod.evicted.v1':
      return { ...about, event: 'evicted', pod: podName(fact.data.pod) };
    case 'dev.phaseout.pod.refused.v1': {
      const { pod, cause, message, budget, explanation } = fact.data;
      const told = compact({ cause, message, budget, explanation });
      return { ...about, event: 'refused', pod: podName(pod), ...told };
    }
    case 'dev.phaseout.pod.unblocked.v1': {
      const { pod, action, policy, message } = fact.data;
      return { ...about, event: 'unblocked', pod: podName(pod), action, policy, message };
    }
    case 'dev.phaseout.deletion.completed.v1':
      return { ...about, event: 'released' };
    default:
      return fact satisfies never;
  }
}

type HookWaiting = EventOf<'dev.phaseout.hook.waiting.v1'>['data'];

const podName = ({ namespace, name }: { namespace: string; name: string }): string => `${namespace}/${name}`;

const longestOwner = 100;

/** `hook EtcdQuorumOperator of clusteroperator/etcd`. */
function hookWait({ point, hooks, owners = {} }: HookWaiting) {
  const [reason] = reasonsOf(point);
  // What distinguishes hooks is what follows the slash.
  const names = hooks.map((hook) => {
    const owner = printable(owners[hook] ?? '');
    const name = hook.split('/').at(-1) ?? hook;
    return owner === '' ? name : `${name} of ${cut(owner, longestOwner)}`;
  });
  return { reason, message: `${names.length === 1 ? 'hook' : 'hooks'} ${names.join(', ')}` };
}
