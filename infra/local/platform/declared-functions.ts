import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { machineApiOf } from '../../../shared/dialects/registry.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import { forMachineApis } from '../../serverless/for-machine-apis.ts';
import type { ServerlessFile } from '../../serverless/model.ts';
import { problemLines, readServerless } from '../../serverless/read.ts';
import { pingAddress } from '../../serverless/resolve.ts';
import type { CloudEvent } from '../eventing/event.ts';

const path = fileURLToPath(new URL('../../../serverless.yml', import.meta.url));

/** What serverless.yml declares, for a cluster that serves these Machine APIs; of some namespaces, or of all. */
export async function readDeclaredFunctions(
  served: readonly MachineApi[],
  namespaces: readonly string[] = [],
): Promise<ServerlessFile> {
  const reading = readServerless(await readFile(path, 'utf8'));
  if (reading.kind === 'refused') throw new Error(problemLines(path, reading.problems).join('\n'));
  const file = forMachineApis(
    reading.file,
    Object.fromEntries(
      served.map(({ apiVersion }) => [machineApiOf({ apiVersion, kind: 'Machine' }), apiVersion]),
    ),
  );
  if (namespaces.length === 0) return file;
  const apiServerSources = file.apiServerSources.map((source) => ({
    ...source,
    namespaces: [...namespaces],
  }));
  return { ...file, apiServerSources };
}

/**
 * The slow tick, once and at once. Sources do not report objects that exist when they start. The user should not wait
 * minutes for Machines that are already in deletion.
 */
export function firstSweep(file: ServerlessFile): CloudEvent[] {
  const sources = file.pingSources.filter(({ data }) => data?.includes('"all"') === true);
  return sources.map(({ namespace, name, data = '', contentType = 'application/json' }) => ({
    attributes: {
      specversion: '1.0',
      id: randomUUID(),
      source: pingAddress(namespace, name),
      type: 'dev.knative.sources.ping',
      datacontenttype: contentType,
    },
    data: Buffer.from(data),
  }));
}
