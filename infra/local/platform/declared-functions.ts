import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { machineApiOf } from '../../../shared/dialects/registry.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import { forMachineApis } from '../../serverless/for-machine-apis.ts';
import type { ServerlessFile } from '../../serverless/model.ts';
import { problemLines, readServerless } from '../../serverless/read.ts';

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
