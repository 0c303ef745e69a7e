import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import { parsed } from './checkpoint.ts';
import { type HookPoint, hooksKey } from './machine.ts';

/** What a Machine's annotation says of one DeletionHook that is asked for it. */
export interface ToldTurn {
  name: string;
  place: string;
  /** When its turn began; undefined before that. */
  begin: string | undefined;
  /** As what its turn has ended; undefined while it has not. */
  end: string | undefined;
}

/** In the order that they stand there; none where the annotation is another Machine's, or cannot be read. */
export function turnsIn(text: string | undefined, uid: string | undefined): ToldTurn[] {
  const told = recordAt(parsed(text ?? ''));
  const { hooks } = told;
  if (told['uid'] !== uid || !Array.isArray(hooks)) return [];
  return hooks.map((hook) => ({
    name: textAt(hook, 'name') ?? '',
    place: textAt(hook, 'place') ?? '',
    begin: textAt(hook, 'begin'),
    end: textAt(hook, 'end', 'as'),
  }));
}

export const turnsOf = ({ metadata }: KubeObject): ToldTurn[] =>
  turnsIn(metadata.annotations?.[hooksKey], metadata.uid);

const places: Readonly<Record<HookPoint, string>> = {
  'pre-drain': 'PreDrain',
  'pre-terminate': 'PreTerminate',
};

/** Whether the Machine says that it waits for functions at this point. */
export const waitsForFunctions = (machine: KubeObject, point: HookPoint): boolean =>
  turnsOf(machine).some(({ place, end }) => place === places[point] && end === undefined);
