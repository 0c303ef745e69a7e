import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { forEachLimited } from '../../async/parallel.ts';
import type { MachineRef } from '../../machine/machine.ts';
import { dayOf, pointerRetentionSeconds } from '../../store/clue.ts';
import { expiryOf } from '../../store/retention.ts';
import { number } from './attributes.ts';
import type { Connection } from './connection.ts';
import { machinePrefix, pointerKey } from './keys.ts';
import { fromMachineAttribute, toMachineAttribute } from './machine-ref.ts';
import { itemsIn } from './query.ts';

/** A hundred Machines with their Pods. What is forgotten is only written once more. */
const mostRemembered = 5_000;

/** Writes pointers from places to Machines, each once a day as far as this instance remembers. */
export class Pointers {
  readonly #connection: Connection;
  readonly #retentionSeconds: number;
  readonly #written = new Set<string>();

  constructor(connection: Connection, historySeconds: number) {
    this.#connection = connection;
    this.#retentionSeconds = pointerRetentionSeconds(historySeconds);
  }

  async point(place: string, machine: MachineRef): Promise<void> {
    const now = this.#connection.clock.now();
    const name = `${dayOf(now)} ${place} ${machine.uid}`;
    if (this.#written.has(name)) return;
    const command = new PutItemCommand({
      TableName: this.#connection.table,
      Item: {
        ...pointerKey(place, machine.uid),
        machine: toMachineAttribute(machine),
        expires: number(expiryOf(now, this.#retentionSeconds)),
      },
    });
    await this.#connection.call((client, options) => client.send(command, options));
    this.#remember(name);
  }

  #remember(name: string): void {
    this.#written.add(name);
    if (this.#written.size <= mostRemembered) return;
    const [oldest = ''] = this.#written;
    this.#written.delete(oldest);
  }
}

/** The Machines that pointers at these places lead to, each once. */
export async function machinesAt(connection: Connection, places: readonly string[]): Promise<MachineRef[]> {
  const items = await forEachLimited(places, (place) => itemsIn(connection, place, machinePrefix));
  const machines = items
    .flat()
    .map(({ machine }) => fromMachineAttribute(machine))
    .filter((machine) => machine !== undefined);
  return [...new Map(machines.map((machine) => [machine.uid, machine])).values()];
}
