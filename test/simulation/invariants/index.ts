import { apisAreLeftAlone } from './apis-are-left-alone.ts';
import { askedAreDue } from './asked-are-due.ts';
import { asksEverMoreSlowly } from './asks-ever-more-slowly.ts';
import { begunAreDue } from './begun-are-due.ts';
import { causesAreTrue } from './causes-are-true.ts';
import { chainsEnd } from './chains-end.ts';
import { checkpointGoesForward } from './checkpoint-goes-forward.ts';
import { comesAgainInTime } from './comes-again-in-time.ts';
import { controlPlaneOneAtATime } from './control-plane-one-at-a-time.ts';
import { cordonFirst } from './cordon-first.ts';
import { cordonsHoldTheLease } from './cordons-hold-the-lease.ts';
import { deletionsAreNoticed } from './deletions-are-noticed.ts';
import { doneEndsTheTurn } from './done-ends-the-turn.ts';
import { doneWhenAnswered } from './done-when-answered.ts';
import { drainLeavesNothing } from './drain-leaves-nothing.ts';
import { drainedIsSaid } from './drained-is-said.ts';
import { drainedToTheEnd } from './drained-to-the-end.ts';
import { drainsAreSeen } from './drains-are-seen.ts';
import { drainsAreWanted } from './drains-are-wanted.ts';
import { dueIsLookedAt } from './due-is-looked-at.ts';
import { endsAreNoticed } from './ends-are-noticed.ts';
import { errorsAreToldOnce } from './errors-are-told-once.ts';
import { eventsAreWrittenOnce } from './events-are-written-once.ts';
import { everythingEnds } from './everything-ends.ts';
import { evictedOnce } from './evicted-once.ts';
import { evictionsAreOnRecord } from './evictions-are-on-record.ts';
import { exclusionsHaveCauses } from './exclusions-have-causes.ts';
import { factsAreOfDeletions, oneIdForAFact, savedBeforeTold } from './facts.ts';
import { factsAreTold } from './facts-are-told.ts';
import { finalizersOfOthers } from './finalizers.ts';
import { handOverIsDue } from './hand-over-is-due.ts';
import { handedOnAtOnce } from './handed-on-at-once.ts';
import { historyIsKept } from './history-is-kept.ts';
import { hookFunctionsAreAsked } from './hook-functions-are-asked.ts';
import { hookFunctionsHold } from './hook-functions-hold.ts';
import { hookStatusesAreCounted } from './hook-statuses-are-counted.ts';
import { deadManWaits } from './hook-watchdog-waits.ts';
import { hooksHold } from './hooks-hold.ts';
import { inItsOwnStep } from './in-its-own-step.ts';
import { infrastructureAfterDrain } from './infrastructure-after-drain.ts';
import type { Invariant } from './invariant.ts';
import { knowledgeIsFresh } from './knowledge-is-fresh.ts';
import { lateHooksAreNone } from './late-hooks-are-none.ts';
import { leasesAreGivenBack } from './leases-are-given-back.ts';
import { letGoForGood } from './let-go-for-good.ts';
import { letGoInTime } from './let-go-in-time.ts';
import { limitsAreForTrying } from './limits-are-for-trying.ts';
import { limitsAreSpentOnce } from './limits-are-spent-once.ts';
import { limitsEndInTime } from './limits-end-in-time.ts';
import { livingAreHeld } from './living-are-held.ts';
import { livingAreOwned } from './living-are-owned.ts';
import { lowerOrdersFirst } from './lower-orders-first.ts';
import { noEvictionStorms } from './no-eviction-storms.ts';
import { noErrorsLogged, storeUnderstandsUs } from './no-mistakes-of-ours.ts';
import { noServerIsLeft } from './no-server-is-left.ts';
import { nodeComesLast } from './node-comes-last.ts';
import { nodesAreGoing } from './nodes-are-going.ts';
import { nodesAreOwn } from './nodes-are-own.ts';
import { nodesThatStay } from './nodes-that-stay.ts';
import { nothingAfterHandOver } from './nothing-after-hand-over.ts';
import { nothingIsWritten } from './nothing-is-written.ts';
import { nothingLeftBehind } from './nothing-left-behind.ts';
import { objectsAreGone } from './objects-are-gone.ts';
import { olderConditionsAgree } from './older-conditions-agree.ts';
import { onlyKnownWrites } from './only-known-writes.ts';
import { onlyOfDeletedMachines, onlyTheRightCluster } from './only-what-is-ours.ts';
import { onlyWhileHeld } from './only-while-held.ts';
import { othersAreLeftAlone } from './others-are-left-alone.ts';
import { pausedIsAllThatIsSaid } from './paused-is-all-that-is-said.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import { planIsWhatIsDone } from './plan-is-what-is-done.ts';
import { podsKeepTheirTime } from './pods-keep-their-time.ts';
import { podsThatStay } from './pods-that-stay.ts';
import { podsThatWereLeftStay } from './pods-that-were-left-stay.ts';
import { providerCallsAreFew } from './provider-calls-are-few.ts';
import { providerKnowsTheCluster } from './provider-knows-the-cluster.ts';
import { providersAreLeftAlone } from './providers-are-left-alone.ts';
import { providersHaveTheirTime } from './providers-have-their-time.ts';
import { readsAreOfNow } from './reads-are-of-now.ts';
import { refusalsAreNews } from './refusals-are-news.ts';
import { refusalsAreSaid } from './refusals-are-said.ts';
import { releasedAreFree } from './released-are-free.ts';
import { releasedGetNoHook } from './released-get-no-hook.ts';
import { requestsAreFew } from './requests-are-few.ts';
import { requestsForOne } from './requests-for-one.ts';
import { serversAreMadeOnce } from './servers-are-made-once.ts';
import { serversGoEmpty } from './servers-go-empty.ts';
import { serversHaveMachines } from './servers-have-machines.ts';
import { serversWaitForUs } from './servers-wait-for-us.ts';
import { throttledStayAway } from './throttled-stay-away.ts';
import { tickGoesWhileDue } from './tick-goes-while-due.ts';
import { timeoutsNeverEarly } from './timeouts-never-early.ts';
import { timesAreTrue } from './times-are-true.ts';
import { uidIsNamed, versionIsNamed } from './uid-is-named.ts';
import { volumesComeOff } from './volumes-come-off.ts';
import { waitsAreDue } from './waits-are-due.ts';
import { watchedEndsAreTold } from './watched-ends-are-told.ts';
import { whatIsKnownStays } from './what-is-known-stays.ts';
import { whoIsHeldSaysWhy } from './who-is-held-says-why.ts';
import { quietIsQuiet, writesChangeSomething } from './writes-change-something.ts';

/** Everything that is always so in a simulation. */
export const invariants: readonly Invariant[] = [
  hooksHold,
  hookFunctionsHold,
  hookFunctionsAreAsked,
  doneEndsTheTurn,
  pausedIsLeftAlone,
  pausedIsAllThatIsSaid,
  infrastructureAfterDrain,
  handOverIsDue,
  exclusionsHaveCauses,
  drainedIsSaid,
  podsThatWereLeftStay,
  limitsAreSpentOnce,
  onlyWhileHeld,
  nothingAfterHandOver,
  releasedAreFree,
  letGoInTime,
  serversWaitForUs,
  lateHooksAreNone,
  releasedGetNoHook,
  deadManWaits,
  drainsAreWanted,
  drainsAreSeen,
  drainLeavesNothing,
  volumesComeOff,
  drainedToTheEnd,
  serversGoEmpty,
  objectsAreGone,
  nodesAreGoing,
  nodesAreOwn,
  causesAreTrue,
  timeoutsNeverEarly,
  timesAreTrue,
  limitsAreForTrying,
  limitsEndInTime,
  lowerOrdersFirst,
  podsThatStay,
  podsKeepTheirTime,
  evictedOnce,
  noEvictionStorms,
  comesAgainInTime,
  throttledStayAway,
  asksEverMoreSlowly,
  waitsAreDue,
  begunAreDue,
  dueIsLookedAt,
  askedAreDue,
  tickGoesWhileDue,
  endsAreNoticed,
  handedOnAtOnce,
  doneWhenAnswered,
  deletionsAreNoticed,
  chainsEnd,
  uidIsNamed,
  versionIsNamed,
  cordonFirst,
  controlPlaneOneAtATime,
  cordonsHoldTheLease,
  nodeComesLast,
  nodesThatStay,
  finalizersOfOthers,
  onlyKnownWrites,
  hookStatusesAreCounted,
  onlyOfDeletedMachines,
  onlyTheRightCluster,
  othersAreLeftAlone,
  inItsOwnStep,
  checkpointGoesForward,
  whatIsKnownStays,
  oneIdForAFact,
  savedBeforeTold,
  evictionsAreOnRecord,
  errorsAreToldOnce,
  eventsAreWrittenOnce,
  factsAreOfDeletions,
  factsAreTold,
  refusalsAreNews,
  refusalsAreSaid,
  historyIsKept,
  writesChangeSomething,
  quietIsQuiet,
  requestsAreFew,
  requestsForOne,
  providerCallsAreFew,
  knowledgeIsFresh,
  readsAreOfNow,
  planIsWhatIsDone,
  everythingEnds,
  whoIsHeldSaysWhy,
  olderConditionsAgree,
  livingAreHeld,
  livingAreOwned,
  serversAreMadeOnce,
  serversHaveMachines,
  providerKnowsTheCluster,
  providersAreLeftAlone,
  providersHaveTheirTime,
  apisAreLeftAlone,
  noServerIsLeft,
  nothingLeftBehind,
  nothingIsWritten,
  watchedEndsAreTold,
  leasesAreGivenBack,
  letGoForGood,
  noErrorsLogged,
  storeUnderstandsUs,
];

/** Looks that are no steps are not seen as such, and what lives is its own controller's. */
const notWhileWatching: readonly Invariant[] = [dueIsLookedAt, livingAreHeld];

/** What must be so where phaseout only watches. */
export const whileWatching: readonly Invariant[] = invariants.filter(
  (each) => !notWhileWatching.includes(each),
);
