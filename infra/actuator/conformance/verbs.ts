import type { Operation } from '../../../shared/actuator/contract.ts';
import type { ActuatorAnswer, ActuatorReport, DeleteAnswer } from '../../../shared/actuator/port.ts';
import {
  type HttpAnswer,
  type Reading,
  readDeletion,
  readExistence,
  readReport,
} from '../../../shared/actuator/read-answer.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { Unmet } from '../../conformance/outcome.ts';
import { printable } from '../../terminal/words.ts';
import { type Bench, pause, tooLate } from './check.ts';
import { type Exchange, shown } from './client.ts';
import { deleting } from './machines.ts';

/** An answer with the exchange it came in. */
export interface Said<T> {
  value: T;
  exchange: Exchange;
}

/** Between two looks at a server for which the provider names no time. */
const requeueAfterSeconds = 2;
/** However short a time the provider names: a provider is not to be hammered. */
export const minSeconds = 0.2;

/** What the answer says. Throws Unmet when it says nothing that the contract knows. */
export function said<T>(
  exchange: Exchange,
  read: (answer: HttpAnswer) => Reading<T>,
  expected: string,
): Said<T> {
  if (exchange.answer === undefined) throw new Unmet(expected, shown(exchange));
  const reading = read(exchange.answer);
  if (reading.kind === 'unusable')
    throw new Unmet(expected, `${shown(exchange)} (${printable(reading.why)})`);
  return { value: reading.value, exchange };
}

/** Asks again for as long as the provider asks to be asked again, within the deadline. */
async function patiently<T extends { value: unknown }>(bench: Bench, ask: () => Promise<T>): Promise<T> {
  const deadline = bench.clock.now() + bench.deadlineSeconds * 1000;
  for (;;) {
    const answer = await ask();
    const seconds = retrySeconds(answer.value);
    if (seconds === undefined || bench.clock.now() + seconds * 1000 > deadline) return answer;
    await pause(bench.clock, seconds);
  }
}

/** Sends any body, with this token or none. Patience may be asked for before anything is looked at. */
export async function send(
  bench: Bench,
  path: string,
  { body, token }: { body: string; token: string | undefined },
): Promise<Exchange> {
  const { exchange } = await patiently(bench, async () => {
    const sent = await bench.client.send(path, body, token);
    const reading = sent.answer && readDeletion(sent.answer);
    return { value: reading?.kind === 'read' ? reading.value : undefined, exchange: sent };
  });
  return exchange;
}

function retrySeconds(value: unknown): number | undefined {
  const isRetry = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'retry';
  const after = isRetry && 'afterSeconds' in value ? Number(value.afterSeconds) : undefined;
  return after === undefined ? undefined : Math.max(minSeconds, after);
}

const ask = ({ client, machines }: Bench, operation: Operation, machine: KubeObject): Promise<Exchange> =>
  client.ask(operation, machines.question(machine));

/** Whether there is a server, and how soon it is worth to look again. */
export async function exists(
  bench: Bench,
  machine: KubeObject,
): Promise<{ is: boolean; exchange: Exchange; soon: number }> {
  const expected = '200 {"exists": true} or {"exists": false}';
  const { value, exchange } = await patiently(bench, async () =>
    said(await ask(bench, 'exists', machine), readExistence, expected),
  );
  if (value.kind === 'absent') return { is: false, exchange, soon: requeueAfterSeconds };
  if (value.kind !== 'exists') throw new Unmet(expected, shown(exchange));
  return { is: true, exchange, soon: Math.max(minSeconds, value.retryAfterSeconds ?? requeueAfterSeconds) };
}

/** Throws Unmet where there is a server, or none, against what is expected. */
export async function mustExist(
  bench: Bench,
  machine: KubeObject,
  isExpected: boolean,
  expected = `200 {"exists": ${isExpected}}`,
): Promise<void> {
  const { is, exchange } = await exists(bench, machine);
  if (is !== isExpected) throw new Unmet(expected, shown(exchange));
}

/** The last word of a create or an update; a failure is one. */
export function attempt(
  bench: Bench,
  operation: 'create' | 'update',
  machine: KubeObject,
  expected = `200 with a report, to ${operation}`,
): Promise<Said<ActuatorAnswer>> {
  // Whatever is answered, there may be a server now.
  if (operation === 'create') bench.machines.remember(machine);
  return patiently(bench, async () => said(await ask(bench, operation, machine), readReport, expected));
}

/** Creates or updates and gives the report. Throws Unmet when the provider refuses. */
export async function report(
  bench: Bench,
  operation: 'create' | 'update',
  machine: KubeObject,
): Promise<ActuatorReport> {
  const { value, exchange } = await attempt(bench, operation, machine);
  if (value.kind === 'done') return value.report;
  throw new Unmet(`200 with a report, to ${operation}`, shown(exchange));
}

/** Asks once for the end of the server: accepted, or to be asked again. Throws Unmet when the provider refuses. */
export async function remove(bench: Bench, machine: KubeObject): Promise<Said<DeleteAnswer>> {
  const expected = '200 or 202 {}, or 503 with error.retryAfterSeconds, to delete';
  const exchange = await ask(bench, 'delete', deleting(machine, bench.clock.now()));
  const answer = said(exchange, readDeletion, expected);
  if (answer.value.kind === 'failed') throw new Unmet(expected, shown(exchange));
  return answer;
}

/** Deletes until that is accepted. */
export async function removeToTheEnd(bench: Bench, machine: KubeObject): Promise<void> {
  const { value, exchange } = await patiently(bench, () => remove(bench, machine));
  if (value.kind === 'accepted') return;
  throw tooLate(bench, (within) => `delete to be accepted ${within}`, shown(exchange));
}

/** Deletes as the Machine APIs do, again and again, until the provider says that the server is gone. */
export async function removeUntilGone(bench: Bench, machine: KubeObject): Promise<void> {
  const deadline = bench.clock.now() + bench.deadlineSeconds * 1000;
  for (;;) {
    await removeToTheEnd(bench, machine);
    const { is, exchange, soon } = await exists(bench, machine);
    if (!is) return bench.machines.forget(machine);
    if (bench.clock.now() + soon * 1000 > deadline) {
      throw tooLate(bench, (within) => `exists to be false ${within} of the delete`, shown(exchange));
    }
    await pause(bench.clock, soon);
  }
}
