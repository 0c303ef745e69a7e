import type { Step } from '../step.ts';
import { killed, warm, zero } from './deletion.ts';
import { again, dryRun, first, second } from './deploy.ts';
import { gitops, serverless } from './gitops.ts';
import { history } from './history.ts';
import { modes, wrongMode } from './modes.ts';
import { oneNamespace } from './namespaces.ts';
import { page } from './page.ts';
import { removeAll } from './remove.ts';
import { storeAway } from './store.ts';
import { upgrade } from './upgrade.ts';
import { watchdog } from './watchdog.ts';

/** In the order in which they are played. The last two begin and end without phaseout. */
export const steps: readonly Step[] = [
  dryRun,
  wrongMode,
  first,
  again,
  second,
  warm,
  history,
  killed,
  upgrade,
  storeAway,
  oneNamespace,
  modes,
  watchdog,
  page,
  zero,
  removeAll,
  gitops,
  serverless,
];
