import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { Unmet } from '../../../conformance/outcome.ts';
import { type Bench, type Check, ofServer, pause } from '../check.ts';
import { shown } from '../client.ts';
import { exists, minSeconds, mustExist, remove, removeToTheEnd, removeUntilGone } from '../verbs.ts';

/** How a server goes. These come last: afterwards there is none. */
export const deletion: readonly Check[] = [
  ofServer('delete is taken', mustBeTaken),
  ofServer('deleting again, while the server goes, is harmless', mustBeTaken),
  ofServer('exists is true for as long as delete asks to be asked again', mustAgree),
  { ...ofServer('a delete that was accepted has left nothing behind', mustBeFinal), onlyFor: 'v1alpha1' },
  ofServer('the server is gone in the end', removeUntilGone),
  ofServer('deleting what is gone is accepted, and it stays gone', async (bench, machine) => {
    await removeToTheEnd(bench, machine);
    await mustStayGone(bench, machine);
  }),
  ofServer('a server whose end is asked for while it is made is not left', endWhileMade),
];

async function mustBeTaken(bench: Bench, machine: KubeObject): Promise<void> {
  await remove(bench, machine);
}

/** For the create to arrive first. */
const secondsToArrive = 0.2;

/** The caller of `create` may give up and the Machine may be deleted. Then no further request asks for the server. */
async function endWhileMade(bench: Bench): Promise<void> {
  const { machines, client, clock } = bench;
  bench.server = undefined;
  const machine = machines.make();
  machines.remember(machine);
  // Once only: put off, it is not to be made after its end.
  const made = client.ask('create', machines.question(machine));
  await pause(clock, secondsToArrive);
  await removeUntilGone(bench, machine);
  machines.remember(machine);
  await made;
  await mustStayGone(bench, machine);
  machines.forget(machine);
}

const looks = 3;
const secondsBetweenLooks = 2;

/** A provider that has not seen everything of its cloud may say so once by mistake, and take it back. */
async function mustStayGone(bench: Bench, machine: KubeObject): Promise<void> {
  for (let look = 1; look <= looks; look += 1) {
    await mustExist(bench, machine, false);
    if (look < looks) await pause(bench.clock, secondsBetweenLooks);
  }
}

const shortly = 1;

/**
 * A server may go between the two questions, and then the next delete is accepted. Too many requests may put that
 * delete off once, but not twice in a row.
 */
async function mustAgree(bench: Bench, machine: KubeObject): Promise<void> {
  const deadline = bench.clock.now() + bench.deadlineSeconds * 1000;
  for (;;) {
    const seconds = await secondsPutOff(bench, machine);
    if (seconds === undefined || bench.clock.now() + seconds * 1000 > deadline) return;
    const { is, exchange } = await exists(bench, machine);
    await pause(bench.clock, seconds);
    if (is || (await secondsPutOff(bench, machine)) === undefined) continue;
    await pause(bench.clock, shortly);
    if ((await secondsPutOff(bench, machine)) === undefined) return;
    throw new Unmet('200 {"exists": true} while delete asks to be asked again', shown(exchange));
  }
}

/** Undefined when the delete was accepted. */
async function secondsPutOff(bench: Bench, machine: KubeObject): Promise<number | undefined> {
  const { value } = await remove(bench, machine);
  return value.kind === 'retry' ? Math.max(minSeconds, value.afterSeconds) : undefined;
}

/** v1alpha1 asks no further after this. OpenShift asks until exists is false. */
async function mustBeFinal(bench: Bench, machine: KubeObject): Promise<void> {
  await removeToTheEnd(bench, machine);
  await mustExist(bench, machine, false, 'exists to be false once delete was accepted');
}
