import { readFile } from 'node:fs/promises';
import { dialects } from '../host/dialects.ts';
import type { MachineApi } from '../host/served-machine-apis.ts';
import type { ApiServerSource, ServerlessFile } from '../serverless/model.ts';
import { problemLines, readServerless } from '../serverless/read.ts';
import { withoutSources } from '../serverless/without-sources.ts';

const path = new URL('../../serverless.yml', import.meta.url).pathname;

/** What serverless.yml declares, for a cluster that serves these Machine APIs. */
export async function readDeclaredFunctions(served: readonly MachineApi[]): Promise<ServerlessFile> {
  const text = await readFile(path, 'utf8');
  const reading = readServerless(inServedVersions(text, served));
  if (reading.kind === 'refused') throw new Error(problemLines(path, reading.problems).join('\n'));
  return withoutSources(reading.file, (source) => isOfMissingApi(source, served));
}

/** Sources and Triggers name the version to watch, and not every cluster serves the one that is written there. */
function inServedVersions(text: string, served: readonly MachineApi[]): string {
  return served.reduce(
    (changed, { dialect: { group, versions }, apiVersion }) =>
      versions.reduce((all, version) => all.replaceAll(`${group}/${version}`, apiVersion), changed),
    text,
  );
}

/** A source does not start while its resource is unknown; a cluster need not have every Machine API. */
function isOfMissingApi({ apiVersion }: ApiServerSource, served: readonly MachineApi[]): boolean {
  const isMachineApi = dialects.some(({ group }) => apiVersion.startsWith(`${group}/`));
  return isMachineApi && !served.some((api) => api.apiVersion === apiVersion);
}
