import type { Actuator, ActuatorTarget, DeleteAnswer, Existence } from '../../shared/actuator/port.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect, Termination } from '../../shared/dialects/dialect.ts';

export interface ScriptedActuator extends Actuator {
  /** What was asked, and about which Machine's UID, in order. */
  readonly asked: string[];
  readonly targets: ActuatorTarget[];
}

/** A provider that answers as it is told; the last answer stands. */
export function anActuator({
  exists = [{ kind: 'exists' }],
  deletes = [{ kind: 'accepted' }],
}: {
  exists?: Existence[];
  deletes?: DeleteAnswer[];
} = {}): ScriptedActuator {
  const asked: string[] = [];
  const targets: ActuatorTarget[] = [];
  const note = (what: string, target: ActuatorTarget): void => {
    asked.push(`${what} ${target.machine.metadata.uid}`);
    targets.push(target);
  };
  return {
    asked,
    targets,
    async exists(target) {
      note('exists', target);
      return next(exists);
    },
    async create(target) {
      note('create', target);
      return { kind: 'done', report: {} };
    },
    async update(target) {
      note('update', target);
      return { kind: 'done', report: {} };
    },
    async delete(target) {
      note('delete', target);
      return next(deletes);
    },
  };
}

function next<T>(answers: T[]): T {
  const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
  if (answer === undefined) throw new Error('there is no answer');
  return answer;
}

/** Cluster API's dialect, but with servers that a provider keeps. */
export const withProvider = (termination: Partial<Termination & { by: 'actuator' }> = {}): Dialect => ({
  ...clusterApi,
  termination: { by: 'actuator', goneWhen: 'absent', forgives: () => false, ...termination },
});
