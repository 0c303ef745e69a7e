import type { Selection } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Outside } from '../../terminal/outside.ts';
import { Panel } from '../../terminal/panel.ts';
import type { Fleet } from '../fleet.ts';
import { followDeleting } from '../look/follow-deleting.ts';
import { listDeleting } from '../look/list-deleting.ts';

interface Watching {
  fleet: Fleet;
  selection: Selection;
  json: boolean;
  outside: Outside;
  linesOf: (machines: readonly KubeObject[]) => string[];
}

/** Durations grow even if nothing happens. */
const refreshMilliseconds = 1_000;

/** The list as it is now, until it is interrupted: redrawn in a terminal, elsewhere told again with each change. */
export async function watchStatus({ fleet, selection, json, outside, linesOf }: Watching): Promise<number> {
  const { stdout, clock, interrupted } = outside;
  // What may not be listed at all ends it at once.
  await listDeleting(fleet, selection);
  const isBoard = stdout.isTTY === true && !json;
  let machines: readonly KubeObject[] = [];
  const panel = isBoard ? new Panel(stdout, clock) : undefined;
  // Timers of the clock do not keep the process alive.
  const awake = setInterval(() => panel?.change(), refreshMilliseconds);
  if (panel !== undefined) panel.draw = () => linesOf(machines);
  let told = '';
  const tell = (): void => {
    const text = `${linesOf(machines).join('\n')}\n`;
    if (text !== told) stdout.write(text);
    told = text;
  };
  const changed = (now: readonly KubeObject[]): void => {
    machines = now;
    if (panel === undefined) tell();
    else panel.change();
  };
  try {
    await followDeleting({ fleet, selection, clock, signal: interrupted, changed });
    return 0;
  } finally {
    clearInterval(awake);
    panel?.close();
  }
}
