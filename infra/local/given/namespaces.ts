import { readRules } from '../../../shared/drain/rules.ts';
import type { MachineDrainRule } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { nameOf } from './clusters.ts';
import { clusterObject, type GivenMachine, listed } from './given-machine.ts';
import { ofKind } from './given-objects.ts';

/** Which Namespaces of the Node's Pods were not given: those made here have no labels and are not being deleted. */
export function namespaceNotes(view: GivenMachine): string[] {
  const { objects, pods } = view;
  const given = new Set(ofKind(objects, 'Namespace').map(({ metadata }) => metadata.name));
  const needed = new Set(pods.map((pod) => nameOf(pod).namespace));
  const missing = [...needed].filter((name) => !given.has(name));
  if (missing.length === 0) return [];
  const rules = rulesThatAsk(view);
  const asked = rules.length === 0 ? '' : `, but their labels decide for ${listed(rules)}`;
  return [`Namespaces were not given: ${listed(missing)}. They count as active and without labels${asked}`];
}

function rulesThatAsk(view: GivenMachine): string[] {
  const { machine, management } = view;
  const beside = ofKind(management, 'MachineDrainRule').filter(
    (rule) => nameOf(rule).namespace === nameOf(machine).namespace,
  );
  const labels = {
    machineLabels: machine.metadata.labels ?? {},
    clusterLabels: clusterObject(view)?.metadata.labels ?? {},
  };
  return readRules(beside.map(asRule), labels)
    .rules.filter(({ asksForNamespace }) => asksForNamespace)
    .map(({ name }) => `MachineDrainRule ${name}`);
}

/** What its selectors are is checked where they are read. */
const asRule = (object: KubeObject): MachineDrainRule => object;
