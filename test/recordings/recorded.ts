import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import type { KubeObject } from '../../infra/local/kubernetes/objects/cluster.ts';

const kubeObject = z.custom<KubeObject>(
  (value) => z.looseObject({ metadata: z.looseObject({}) }).safeParse(value).success,
);
const listed = z.looseObject({ items: z.array(kubeObject) });

/** What was recorded of one Machine, with the objects beside it. */
export class Recorded {
  readonly #objects: KubeObject[];

  constructor(file: string) {
    const text = readFileSync(new URL(`../golden/capi/${file}.yaml`, import.meta.url), 'utf8');
    this.#objects = parseAllDocuments(text)
      .map((document): unknown => document.toJSON())
      .filter((object) => object !== null)
      .flatMap((object) => listed.safeParse(object).data?.items ?? [kubeObject.parse(object)]);
  }

  of(kind: string): KubeObject[] {
    return this.#objects.filter((object) => object.kind === kind);
  }

  one(kind: string): KubeObject {
    const [first] = this.of(kind);
    if (first === undefined) throw new Error(`no ${kind} was recorded`);
    return first;
  }

  get machine(): KubeObject {
    return this.one('Machine');
  }
}
