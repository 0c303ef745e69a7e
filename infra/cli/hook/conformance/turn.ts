import type { CloudEvent } from '../../../../events/envelope.ts';
import { hookCall } from '../../../../events/hook-call.ts';
import type { HookCall } from '../../../../shared/machine/hook-call.ts';
import type { Clock, Instant } from '../../../../shared/time/clock.ts';
import type { Given } from './given.ts';

/** The turn of a hook for one Machine: all of its calls carry one token. */
export interface Turn {
  call: HookCall;
  /** The event of one call. The same attempt is the same event again. */
  event: (attempt: number, more?: Partial<HookCall>) => CloudEvent;
}

/** Makes the turns of one run. */
export interface Turns {
  /** Of a Machine that no turn was about, or of the author's own. */
  begin: () => Turn;
  /** Whether one of them has this token. */
  hasToken: (token: string) => boolean;
  /** All turns are about one Machine, which the author named. */
  isOwn: boolean;
}

/** `own`: what the author wrote, in the place of a Machine that does not exist. */
export function createTurns(own: Given | undefined, clock: Clock, uuid: () => string): Turns {
  const tokens = new Set<string>();
  return {
    begin() {
      const turn = turnOf(own ?? example(uuid()), clock.now(), uuid());
      tokens.add(turn.call.answerTo);
      return turn;
    },
    hasToken: (token) => tokens.has(token),
    isOwn: own !== undefined,
  };
}

function turnOf(base: Given, now: Instant, id: string): Turn {
  const call = { ...base, id, answerTo: `hook-test.${id}`, begins: now, attempt: 1 };
  return {
    call,
    event: (attempt, more = {}) => hookCall({ ...call, id: `${id}/${attempt}`, attempt, ...more }, now),
  };
}

const example = (uid: string): Given => ({
  hook: { namespace: 'default', name: 'hook-test' },
  place: 'PreTerminate',
  machine: {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    namespace: 'default',
    name: `hook-test-${uid.slice(0, 8)}`,
    uid,
    providerID: `hook-test://${uid}`,
    labels: { pool: 'hook-test' },
  },
  node: { name: `hook-test-${uid.slice(0, 8)}`, uid: `node-${uid}` },
  cluster: 'hook-test',
});
