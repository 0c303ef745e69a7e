import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { type Clock, pause } from '../../time/clock.ts';
import { tableDefinition, timeToLive } from './table.ts';
import type { Send } from './table-client.ts';

interface Creation {
  table: string;
  clock: Clock;
  send: <T>(send: Send<T>) => Promise<T>;
}

const betweenLooksMilliseconds = 100;
const maxLooks = 600;

/** Whether the table was there and could be used, or had to be created. */
export type TableSetUp = 'found' | 'created';

/** Leaves the table active, with its time to live, also if another process creates it at the same time. */
export async function createTable(creation: Creation): Promise<TableSetUp> {
  const wasActive = await isActive(creation);
  if (!wasActive) {
    await requestTable(creation);
    await untilActive(creation);
  }
  await enableTimeToLive(creation);
  return wasActive ? 'found' : 'created';
}

async function requestTable({ table, send }: Creation): Promise<void> {
  const input = { TableName: table, ...tableDefinition };
  await send((client, options) => client.send(new CreateTableCommand(input), options)).catch(
    (error: unknown) => {
      // Somebody else was faster, or it was there and not active yet.
      if (!(error instanceof ResourceInUseException)) throw error;
    },
  );
}

async function untilActive(creation: Creation): Promise<void> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    if (await isActive(creation)) return;
    await pause(creation.clock, betweenLooksMilliseconds);
  }
  throw new Error(`it was not active after ${(maxLooks * betweenLooksMilliseconds) / 1000} s`);
}

/** A table just asked for may not be found yet. */
async function isActive({ table, send }: Creation): Promise<boolean> {
  const look = send((client, options) =>
    client.send(new DescribeTableCommand({ TableName: table }), options),
  );
  const description = await look.catch((error: unknown) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  return description?.Table?.TableStatus === 'ACTIVE';
}

/** Embedded engines do not know it; readers ignore what has expired, so only space is lost. */
async function enableTimeToLive({ table, send }: Creation): Promise<void> {
  try {
    const described = await send((client, options) =>
      client.send(new DescribeTimeToLiveCommand({ TableName: table }), options),
    );
    if (described.TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL') === true) return;
    const input = { TableName: table, TimeToLiveSpecification: timeToLive };
    await send((client, options) => client.send(new UpdateTimeToLiveCommand(input), options));
  } catch (error) {
    // A validation error says that somebody else has just enabled it.
    if (!isNamed(error, 'UnknownOperationException') && !isNamed(error, 'ValidationException')) throw error;
  }
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
