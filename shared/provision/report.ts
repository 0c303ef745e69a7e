import { isDeepStrictEqual } from 'node:util';
import type { ActuatorReport } from '../actuator/port.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { textAt } from '../dialects/fields.ts';
import type { Machine } from '../machine/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { changeLiving } from '../write/retry-on-conflict.ts';
import { mergeDifference } from '../write/status.ts';

const what = 'what the provider reports';
const deed = 'written';

/**
 * Writes what the provider has learnt of the server to the Machine, where it differs. A provider that says the same again
 * makes no event. The answer is the Machine as it is by then; undefined when it is gone.
 */
export async function writeReport(
  env: Environment,
  dialect: Dialect,
  machine: Machine,
  { providerID, addresses, providerStatus }: ActuatorReport,
): Promise<Machine | undefined> {
  const kept = await changeLiving(env, dialect, machine, {
    what,
    deed,
    patchOf: ({ providerId }) =>
      providerID === undefined || providerID === providerId ? undefined : { spec: { providerID } },
  });
  if (kept === undefined) return undefined;
  return changeLiving(env, dialect, kept, {
    what,
    deed,
    subresource: 'status',
    patchOf: ({ raw }) => statusPatch(raw['status'], { addresses, providerStatus }),
  });
}

/** Only what was reported; the rest of the status is not the provider's. */
function statusPatch(status: unknown, reported: object): { status: object } | undefined {
  const known = new Map(Object.entries(status ?? {}));
  const changes = Object.entries(reported).flatMap(([field, value]) => {
    if (field === 'addresses' && isSameSet(known.get(field), value)) return [];
    const change = mergeDifference(known.get(field), value);
    return change === undefined ? [] : [[field, change] as const];
  });
  return changes.length === 0 ? undefined : { status: Object.fromEntries(changes) };
}

/** Clouds list the addresses of a server in any order, and mean nothing by it. */
function isSameSet(known: unknown, addresses: unknown): boolean {
  if (!Array.isArray(known) || !Array.isArray(addresses)) return false;
  const [before, after] = [known, addresses].map((each) => new Set(each.map(addressIn)));
  return isDeepStrictEqual(before, after);
}

const addressIn = (address: unknown): string => `${textAt(address, 'type')} ${textAt(address, 'address')}`;
