import { readFile } from 'node:fs/promises';
import type { Kubernetes } from '../../shared/kubernetes/port.ts';
import type { ServerlessFile } from '../serverless/model.ts';
import { problemLines, readServerless } from '../serverless/read.ts';

const path = new URL('../../serverless.yml', import.meta.url).pathname;
const group = 'cluster.x-k8s.io';

/** The API server knows nothing of Machines. */
export class NoMachineApi extends Error {
  constructor(where: string) {
    super(`${where} serves no Machines of ${group} (Cluster API is not installed there)`);
    this.name = 'NoMachineApi';
  }
}

/** The version of Machines to read and write: the newer one where both are served. Throws NoMachineApi. */
export async function servedMachineVersion(kubernetes: Kubernetes, where: string): Promise<string> {
  for (const version of ['v1beta2', 'v1beta1']) {
    if ((await kubernetes.discover(group, 'Machine', version)) !== undefined) return version;
  }
  throw new NoMachineApi(where);
}

/** What serverless.yml declares, for a cluster that serves Machines at this version. */
export async function readDeclaredFunctions(machineVersion: string): Promise<ServerlessFile> {
  const text = await readFile(path, 'utf8');
  // Sources and Triggers name the version to watch, and not every cluster serves the one that is written there.
  const reading = readServerless(text.replaceAll(`${group}/v1beta2`, `${group}/${machineVersion}`));
  if (reading.kind === 'read') return reading.file;
  throw new Error(problemLines(path, reading.problems).join('\n'));
}
