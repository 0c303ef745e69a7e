import type { Outside } from '../../terminal/outside.ts';
import type { MachineName } from '../machine-name.ts';
import { wayTo } from './kubeconfig.ts';
import { type Looker, lookerOver, type Many } from './looker-over.ts';
import type { LookSource } from './options.ts';
import type { GoesOnWithout } from './unread-notes.ts';

export type { Looker } from './looker-over.ts';

/** Where to look, and what the look goes on without. */
export interface Look {
  source: LookSource;
  /** The one that it is about; undefined where it is about all. */
  machine?: MachineName;
  goesOnWithout: GoesOnWithout;
  /** It is about many Machines: each kind is listed once. */
  many?: Many;
}

/** The same ports as the functions have, without writes: as the user, and over the kubeconfig of the user. */
export async function openLooker(
  { source, machine, goesOnWithout, many }: Look,
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<Looker> {
  if (source.kind === 'cluster') {
    const kubeConfig = await wayTo(source, outside);
    const workload = source.workload && (await wayTo(source.workload, outside));
    return lookerOver({ kubeConfig, workload, goesOnWithout, many }, outside, closing);
  }
  // A look at a real cluster needs none of what serves manifests.
  const { lookerOverGiven } = await import('./looker-over-given.ts');
  return lookerOverGiven(
    { source, goesOnWithout, ...(machine && { machine }), ...(many && { many }) },
    outside,
    closing,
  );
}
