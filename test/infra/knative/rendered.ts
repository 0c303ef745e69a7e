import { readFileSync } from 'node:fs';
import { newestVersions, type RenderOptions } from '../../../infra/knative/options.ts';
import { renderObjects } from '../../../infra/knative/render.ts';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';
import { problemLines, readServerless } from '../../../infra/serverless/read.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

const own = readFileSync(new URL('../../../serverless.yml', import.meta.url), 'utf8');

/** This repository's serverless.yml, or another text. */
export function written(text = own): ServerlessFile {
  const reading = readServerless(text);
  if (reading.kind === 'refused')
    throw new Error(problemLines('serverless.yml', reading.problems).join('\n'));
  return reading.file;
}

/** A file of one function with one event. The given provider overrides the required parts. */
export const small = (event: string, provider: Record<string, unknown> = {}): ServerlessFile =>
  written(
    JSON.stringify({
      service: 'one',
      provider: {
        name: 'knative',
        namespace: 'ns',
        serviceAccountName: 'sa',
        broker: { name: 'b' },
        scaling: { minScale: 0, maxScale: 1, containerConcurrency: 0, timeoutSeconds: 60 },
        ...provider,
      },
      functions: {
        drain: { handler: 'functions/drain.ts', service: 'svc', events: [JSON.parse(event)] },
      },
    }),
  );

export const rendered = (file: ServerlessFile, options: Partial<RenderOptions> = {}): KubeObject[] =>
  renderObjects(file, { machineApis: {}, ...options });

/** For all three Machine APIs. */
export const renderedForAll = (options: Partial<RenderOptions> = {}): KubeObject[] =>
  rendered(written(), { machineApis: newestVersions, ...options });

/** The objects of a kind: `eventing.knative.dev/v1/Trigger`. */
export const ofKind = (objects: readonly KubeObject[], kind: string): KubeObject[] =>
  objects.filter((object) => `${object.apiVersion}/${object.kind}` === kind);

/** The one object of a kind. */
export function only(objects: readonly KubeObject[], kind: string, name?: string): KubeObject {
  const found = ofKind(objects, kind).filter(({ metadata }) => name === undefined || metadata.name === name);
  const [first, ...others] = found;
  if (first === undefined || others.length > 0) throw new Error(`${found.length} of ${kind} ${name ?? ''}`);
  return first;
}
