import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Condition, KubeObject } from '../../../shared/kubernetes/objects.ts';

interface GoldenMachine extends KubeObject {
  status: { conditions: Condition[]; deletion?: Record<string, string> };
}

/** The objects of a recording, lists taken apart. */
function goldenObjects(file: string): KubeObject[] {
  const text = readFileSync(new URL(`../../golden/capi/${file}`, import.meta.url), 'utf8');
  return parseAllDocuments(text).flatMap((document) => {
    const object: KubeObject & { items?: KubeObject[] } = document.toJS();
    return object.items ?? [object];
  });
}

export const goldenKind = <Kind extends KubeObject>(file: string, kind: string): Kind[] =>
  goldenObjects(file).filter((each): each is Kind => each.kind === kind);

/** What the recorded Machine's Deleting condition says. */
export function goldenMessage(file: string): string {
  const [machine] = goldenKind<GoldenMachine>(file, 'Machine');
  return machine?.status.conditions.find(({ type }) => type === 'Deleting')?.message ?? '';
}
