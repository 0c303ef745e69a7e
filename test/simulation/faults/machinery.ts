import { answers } from './api/answers.ts';
import { atFirst } from './api/at-first.ts';
import { denied } from './api/denied.ts';
import { forbidden } from './api/forbidden.ts';
import { lost } from './api/lost.ts';
import { notFoundPage } from './api/not-found.ts';
import { pages, readsFail } from './api/reads.ts';
import { slowApi } from './api/slow.ts';
import { outages } from './api/unreachable.ts';
import { untrue } from './events/deletions.ts';
import { hookAnswers } from './events/hook-answers.ts';
import { parts } from './events/parts.ts';
import { passages, ticks } from './events/passages.ts';
import { watches } from './events/watches.ts';
import type { Fault } from './fault.ts';
import { objects } from './infrastructure/objects.ts';
import { provider } from './infrastructure/provider.ts';
import { providerTokenRenewed } from './infrastructure/token.ts';
import { jumpingClocks } from './instances/clocks.ts';
import { crashes } from './instances/crashes.ts';
import { endings } from './instances/going.ts';
import { checkpointOfAnotherVersion } from './instances/other-versions.ts';
import { pausedInstance, pausedOverAnAnswer } from './instances/pauses.ts';
import { severalInstances } from './instances/several.ts';
import { storeCalls } from './store/calls.ts';
import { storeEmptied } from './store/emptied.ts';

const instances = [
  ...crashes,
  pausedInstance,
  pausedOverAnAnswer,
  severalInstances,
  ...endings,
  jumpingClocks,
  checkpointOfAnotherVersion,
];
const events = [...passages, ...ticks, ...parts, ...watches, ...untrue, ...hookAnswers];
const api = [
  ...answers,
  notFoundPage,
  ...lost,
  forbidden,
  denied,
  ...pages,
  readsFail,
  ...atFirst,
  slowApi,
  ...outages,
];
const store = [...storeCalls, storeEmptied];

/** What goes wrong with machines and programs, whatever people do. */
export const machinery: readonly Fault[] = [
  ...instances,
  ...events,
  ...api,
  ...store,
  ...provider,
  providerTokenRenewed,
  ...objects,
];
