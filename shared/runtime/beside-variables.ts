/** One variable of the environment. */
export interface ConfigVariable {
  name: string;
  /** As a user would write it; empty if there is none. */
  default: string;
  meaning: string;
}

/** Whether phaseout works beside a Machine API's own controller, and on which Machines. */
export const besideVariables = {
  mode: {
    name: 'PHASEOUT_MODE',
    default: 'replace',
    meaning:
      "How phaseout works: observe, which only watches the Machine API's own controller and writes nothing; beside, with a hook of its own while that controller goes on; or replace, in that controller's place. For each Machine API with capi:beside,v1alpha1:observe. beside is there for capi and openshift.",
  },
  observeEvents: {
    name: 'PHASEOUT_OBSERVE_EVENTS',
    default: 'false',
    meaning: 'Observe: whether what holds a deletion is told on its Machine, too, by Events (DeletionHeld).',
  },
  installation: {
    name: 'PHASEOUT_INSTALLATION',
    default: '',
    meaning:
      'Name that tells several installations in one cluster apart; it is part of the hook. Empty where there is one.',
  },
  lease: {
    name: 'PHASEOUT_LEASE',
    default: '',
    meaning:
      'Beside: namespace/name of the Lease that the sweep renews. Half an hour without that, and the hook watchdog takes our hooks off. Empty renews none.',
  },
  hooksAfter: {
    name: 'PHASEOUT_HOOKS_AFTER',
    default: '',
    meaning:
      'Beside: hooks of others that wait for ours, with commas between them; the whole annotation, or what follows the slash.',
  },
  besideSelector: {
    name: 'PHASEOUT_BESIDE_SELECTOR',
    default: '',
    meaning: 'Beside: label selector of the Machines that get the hook; empty takes all.',
  },
  besideControlPlanes: {
    name: 'PHASEOUT_BESIDE_CONTROL_PLANES',
    default: 'false',
    meaning: 'Beside: whether control plane Machines get the hook too.',
  },
  besideMachinePools: {
    name: 'PHASEOUT_BESIDE_MACHINE_POOLS',
    default: 'false',
    meaning: 'Beside: whether Machines of MachinePools get the hook too.',
  },
  besideExcluded: {
    name: 'PHASEOUT_BESIDE_EXCLUDED',
    default: 'leave',
    meaning:
      'Beside: what becomes of Machines that are excluded from drains. leave lets them go at once, drain drains them all the same.',
  },
} satisfies Readonly<Record<string, ConfigVariable>>;
